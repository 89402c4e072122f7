import { startHttp } from './http.ts';
import { readOptions, USAGE, UsageError, type Options } from './options.ts';
import type { Tracker } from './server.ts';
import { startStdio } from './stdio.ts';
import { openTracker } from './tracker.ts';

/** Standard output carries the protocol alone; everything for a person goes here. */
function say(text: string): void {
  process.stderr.write(`tickets: ${text}\n`);
}

function report(error: Error): void {
  say(error.message);
}

function onSignal(stop: () => Promise<void>): void {
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1);
      stopping = true;
      stop().catch((error: unknown) => {
        report(error instanceof Error ? error : new Error(String(error)));
        process.exitCode = 1;
      });
    });
  }
}

async function serveHttp(tracker: Tracker, port: number): Promise<void> {
  const server = await startHttp(tracker, { port, onerror: report });
  onSignal(async () => {
    await server.close();
    tracker.store.dispose();
  });
  say(`ready ${server.url}`);
}

async function serveStdioStreams(tracker: Tracker): Promise<void> {
  const server = startStdio(tracker, process.stdin, process.stdout, report);
  onSignal(() => server.close());
  await server.closed;
  tracker.store.dispose();
}

function explain(error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    return `${error.message}. Another program has this port; choose one with --port, or 0 for a free one.`;
  }
  return error instanceof Error ? error.message : String(error);
}

async function start(options: Options): Promise<void> {
  const { fixedNow } = options;
  const tracker = openTracker({ db: options.db, now: () => fixedNow ?? new Date() });
  await (options.mode === 'http' ? serveHttp(tracker, options.port) : serveStdioStreams(tracker));
}

export interface MainOptions {
  /** Arguments after the script's name. */
  readonly argv: readonly string[];
}

/** Runs the server until its input ends or a signal asks it to stop. Exit code 1 is a failure, 2 a wrong command line. */
export async function main({ argv }: MainOptions): Promise<void> {
  try {
    const options = readOptions(argv);
    if (options.mode === 'help') process.stdout.write(USAGE);
    else await start(options);
  } catch (error) {
    say(explain(error));
    if (error instanceof UsageError) process.stderr.write(`\n${USAGE}`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}
