import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { GatewayError } from '../domain/index.ts';
import { createLineSplitter } from '../wire/index.ts';
import type { UpstreamLogger } from './channel.ts';
import type { Fail } from './failures.ts';
import type { Reaper } from './process-group.ts';
import { spawnCommand } from './spawn-command.ts';

export interface StdioProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly fail: Fail;
  readonly logger: UpstreamLogger;
  readonly reaper: Reaper;
  /** Hides secrets in what the process printed before it becomes part of an error message. */
  readonly redact: (text: string) => string;
  readonly onData: (chunk: Buffer) => void;
  /** Once: the process has ended or closed its output, or could not be started. */
  readonly onEnd: (error: GatewayError) => void;
}

/** A running server process with its pipes, and the one way to end it. */
export interface StdioProcess {
  readonly pid: number | undefined;
  readonly stdin: Writable;
  /** Closes stdin, waits, then ends the whole process group; resolves when it is gone. */
  stop(): Promise<void>;
}

/** Waits of `stop`, in milliseconds: together well below the four seconds a host may have to wait. */
const AFTER_STDIN_MS = 1_200;
const AFTER_TERM_MS = 1_200;
const AFTER_KILL_MS = 500;
/** How long output that is already in the pipe may follow the end of the process. */
const DRAIN_MS = 100;
const STDERR_LINE_BYTES = 64 * 1024;
const KEPT_LINES = 3;
const KEPT_LINE_CHARS = 300;

export function startStdioProcess(options: StdioProcessOptions): StdioProcess {
  const child = launch(options);
  const { pid } = child;
  if (pid !== undefined) options.reaper.watch(pid);
  const lastLines = drainStderr(child.stderr, options.logger);
  let isEnded = false;
  let hasExited = pid === undefined;

  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => {
      hasExited = true;
      resolve();
    });
    child.once('error', () => resolve());
  });
  const end = (error: GatewayError): void => {
    if (isEnded) return;
    isEnded = true;
    options.onEnd(error);
  };

  child.once('error', (error: NodeJS.ErrnoException) => end(startFailure(options, error)));
  child.stdout.on('data', options.onData);
  // Pipes of a process that died report it here as well; unheard, they would end the gateway.
  child.stdin.on('error', (error) => {
    // The end of the process, when that is why, is the better explanation and comes at once.
    const report = (): void =>
      end(options.fail('UPSTREAM_CLOSED', 'no longer reads its input', { cause: error }));
    setTimeout(report, DRAIN_MS).unref();
  });
  child.stdout.on('error', () => undefined);
  child.stderr.on('error', () => undefined);
  child.once('exit', (code, signal) => {
    // Output that the process wrote before it ended is still on its way; a grandchild may hold the pipe open.
    const report = (): void => end(exitFailure(options, code, signal, lastLines));
    child.once('close', report);
    setTimeout(report, DRAIN_MS).unref();
  });
  child.stdout.once('end', () => {
    if (!hasExited) {
      setTimeout(() => end(options.fail('UPSTREAM_CLOSED', 'closed its output')), DRAIN_MS).unref();
    }
  });

  return {
    pid,
    stdin: child.stdin,
    stop: () => stop(child, pid, exited, options.reaper),
  };
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

function launch(options: StdioProcessOptions): Child {
  const { platform } = process;
  const { command, args, cwd, env } = options;
  const start = spawnCommand({ command, args, platform, env, cwd, exists: existsSync });
  try {
    return spawn(start.file, start.args, {
      cwd,
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      windowsVerbatimArguments: start.windowsVerbatimArguments,
      // A group of its own, so that a wrapper such as npx does not survive as an empty shell around its child.
      detached: platform !== 'win32',
    });
  } catch (error) {
    // Such as a NUL byte in an argument, which no operating system takes.
    throw startFailure(options, error as NodeJS.ErrnoException);
  }
}

/** A full stderr pipe would block the process, so it is always read. */
function drainStderr(stderr: Readable, logger: UpstreamLogger): readonly string[] {
  const last: string[] = [];
  const lines = createLineSplitter({
    maxLineBytes: STDERR_LINE_BYTES,
    onLine: (bytes) => {
      const line = bytes.toString('utf8');
      logger.debug({ stderr: line }, 'server wrote to stderr');
      last.push(line.slice(0, KEPT_LINE_CHARS));
      if (last.length > KEPT_LINES) last.shift();
    },
    onTooLong: (lineBytes) => logger.debug({ lineBytes }, 'server wrote a very long line to stderr'),
  });
  stderr.on('data', (chunk: Buffer) => lines.push(chunk));
  return last;
}

function startFailure(options: StdioProcessOptions, error: NodeJS.ErrnoException): GatewayError {
  if (error.code === 'ENOENT') {
    const what = existsSync(options.cwd)
      ? `cannot be started: the command "${options.command}" was not found; check "command" in its entry and the PATH`
      : `cannot be started: its working directory "${options.cwd}" does not exist`;
    return options.fail('UPSTREAM_UNREACHABLE', what, { data: { reason: 'configuration' }, cause: error });
  }
  const reason = error.code ?? error.message;
  return options.fail('UPSTREAM_UNREACHABLE', `cannot be started: "${options.command}" (${reason})`, {
    data: { reason: 'configuration' },
    cause: error,
  });
}

function exitFailure(
  options: StdioProcessOptions,
  code: number | null,
  signal: string | null,
  lastLines: readonly string[],
): GatewayError {
  const how = signal === null ? `ended with exit code ${code ?? 'unknown'}` : `was ended by ${signal}`;
  const tail = lastLines.length === 0 ? '' : `; its last output: ${options.redact(lastLines.join(' | '))}`;
  return options.fail('UPSTREAM_CLOSED', `${how}${tail}`, { data: { exitCode: code, signal } });
}

async function stop(
  child: Child,
  pid: number | undefined,
  exited: Promise<void>,
  reaper: Reaper,
): Promise<void> {
  if (pid === undefined) return;
  child.stdin.end();
  await within(exited, AFTER_STDIN_MS);
  // The leader may be gone while what it started lives on in its group.
  if (reaper.isAlive(pid)) {
    reaper.signal(pid, 'SIGTERM');
    await untilGone(pid, reaper, AFTER_TERM_MS);
  }
  if (reaper.isAlive(pid)) {
    reaper.signal(pid, 'SIGKILL');
    await untilGone(pid, reaper, AFTER_KILL_MS);
  }
  reaper.forget(pid);
  child.stdin.destroy();
  child.stdout.destroy();
  child.stderr.destroy();
  child.unref();
}

async function within(event: Promise<void>, waitMs: number): Promise<void> {
  const timer = new AbortController();
  await Promise.race([event, delay(waitMs, undefined, { signal: timer.signal }).catch(() => undefined)]);
  timer.abort();
}

const POLL_MS = 20;

async function untilGone(pid: number, reaper: Reaper, waitMs: number): Promise<void> {
  for (let waitedMs = 0; waitedMs < waitMs && reaper.isAlive(pid); waitedMs += POLL_MS) await delay(POLL_MS);
}
