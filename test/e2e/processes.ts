import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

type Fields = Readonly<Record<string, unknown>>;

export const root: string = resolve(import.meta.dirname, '../..');
export const commandLine: string = join(root, 'dist/src/cli/main.js');
const RAW_SERVER = join(root, 'test/fixtures/raw-server.mjs');

/** A folder with a configuration, removed in the end. */
export interface Workplace extends AsyncDisposable {
  readonly folder: string;
  readonly file: string;
}

export async function workplace(config: Fields | string): Promise<Workplace> {
  if (!existsSync(commandLine)) throw new Error(`${commandLine} is missing: run npm run build first`);
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-e2e-'));
  const file = join(folder, 'gateway.config.yaml');
  // JSON is YAML.
  await writeFile(file, typeof config === 'string' ? config : JSON.stringify(config));
  return { folder, file, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

/** The `servers` entry of the handwritten server; `mark` stands in its command line, to find it by. */
export const rawServer = (mark: string, ...args: readonly string[]): Fields => ({
  command: process.execPath,
  args: [RAW_SERVER, '--name', mark, ...args],
});

/** The same behind a shell that stays in between, as wrappers do. */
export const wrappedServer = (mark: string): Fields => ({
  command: 'sh',
  args: ['-c', `'${process.execPath}' '${RAW_SERVER}' --name ${mark} & wait`],
});

export interface Running extends AsyncDisposable {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves with what the pattern captures first on standard error. */
  ready(pattern?: RegExp): Promise<string>;
  readonly exited: Promise<{ readonly code: number | null; readonly signal: string | null }>;
}

export interface StartOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** False leaves what the command prints unread. */
  readonly isRead?: boolean;
}

/** Starts the built command. */
export function start(args: readonly string[], options: StartOptions = {}): Running {
  const child = spawn(process.execPath, [commandLine, ...args], {
    cwd: options.cwd ?? root,
    env: { ...process.env, ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  const looks = new Set<() => void>();
  child.stdin.on('error', () => undefined);
  if (options.isRead !== false)
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    for (const look of [...looks]) look();
  });
  const exited = new Promise<{ code: number | null; signal: string | null }>((ended) => {
    child.once('exit', (code, signal) => {
      // What was printed last may still be on its way.
      if (options.isRead === false) ended({ code, signal });
      else child.once('close', () => ended({ code, signal }));
    });
  });
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    exited,
    ready: (pattern = /tollgate ready (\S+)/) =>
      new Promise((found, missed) => {
        const look = (): void => {
          const match = pattern.exec(stderr)?.[1];
          if (match === undefined) return;
          looks.delete(look);
          found(match);
        };
        looks.add(look);
        void exited.then(() => missed(new Error(`it ended first; it wrote:\n${stderr}`)));
        look();
      }),
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built command to its end. */
export async function run(args: readonly string[], options: StartOptions = {}): Promise<Finished> {
  const running = start(args, options);
  running.child.stdin?.end();
  const { code } = await running.exited;
  return { code, stdout: running.stdout(), stderr: running.stderr() };
}

/** The processes of this machine whose command line has a mark, zombies left out. */
export async function processesWith(mark: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const marked = await Promise.all(
    pids.map(async (pid) => {
      const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      return text.includes(mark) && pid !== process.pid ? [pid] : [];
    }),
  );
  return marked.flat();
}

export const newMark = (): string => `e2e-${process.pid}-${Math.random().toString(36).slice(2, 10)}`;
