import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** A server may drain for a while; one that needs longer than this does not end by itself. */
const STOP_MS = 5_000;
const OUTPUT_KEPT_CHARS = 20_000;

export interface RunningProcess {
  /** What `ready` captured first. */
  readonly announced: string;
  /** The last of what the process wrote to standard error. */
  readonly output: () => string;
  /** Asks the process to end; false when it had to be killed or ended with an error. */
  readonly stop: () => Promise<boolean>;
}

export interface ProcessSpec {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Matched against standard error; its first group is what the process announces. */
  readonly ready: RegExp;
  readonly readyMs: number;
}

/** Starts a process and waits until it says that it is ready; a process that ends before that is an error. */
export async function startProcess(spec: ProcessSpec): Promise<RunningProcess> {
  const child = spawn(spec.command, spec.args, { cwd: spec.cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  // Nothing that this run started outlives it, however it ends.
  const killWithUs = () => void child.kill('SIGKILL');
  process.once('exit', killWithUs);
  const ended = new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null));
    child.once('exit', (code) => resolve(code));
  });
  void ended.then(() => process.off('exit', killWithUs));

  let output = '';
  const announced = await new Promise<string>((resolve, reject) => {
    const fail = (why: string) => {
      child.kill('SIGKILL');
      reject(new Error(`${spec.name} ${why}; it wrote:\n${output}`));
    };
    const timer = setTimeout(() => fail(`was not ready within ${spec.readyMs} ms`), spec.readyMs);
    child.stderr.setEncoding('utf8');
    child.stderr.on('data', (text: string) => {
      output = (output + text).slice(-OUTPUT_KEPT_CHARS);
      const found = spec.ready.exec(output)?.[1];
      if (found === undefined) return;
      clearTimeout(timer);
      resolve(found);
    });
    void ended.then((code) => {
      clearTimeout(timer);
      fail(`ended with ${code === null ? 'a signal or a failed start' : `code ${code}`}`);
    });
  });

  return {
    announced,
    output: () => output,
    async stop() {
      child.kill('SIGTERM');
      const timer = new AbortController();
      const late = sleep(STOP_MS, 'late' as const, { signal: timer.signal }).catch(() => 'late' as const);
      const outcome = await Promise.race([ended, late]);
      timer.abort();
      if (outcome !== 'late') return outcome === 0;
      child.kill('SIGKILL');
      await ended;
      return false;
    },
  };
}
