import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { parseArguments, USAGE } from './arguments.ts';
import type { Command } from './arguments.ts';
import { CorpusError } from './corpus.ts';
import { serveOverHttp } from './http.ts';
import { createSiteServer } from './server.ts';
import { loadSite } from './site.ts';
import type { Site } from './site.ts';

export interface MainOptions {
  /** Arguments after the script's name. */
  readonly argv: readonly string[];
  /** The folder that is served when `--root` names no other. */
  readonly contentDir: string;
}

type Serve = Extract<Command, { readonly kind: 'stdio' | 'http' }>;

/** Runs the server until its input ends or a signal asks it to stop. Exit code 1 is a failure, 2 a wrong command line. */
export async function main({ argv, contentDir }: MainOptions): Promise<void> {
  const command = parseArguments(argv);
  if (command.kind === 'help') {
    process.stdout.write(USAGE);
    return;
  }
  if (command.kind === 'invalid') {
    fail(`${command.problem}\n\n${USAGE}`, 2);
    return;
  }
  try {
    const site = await loadSite(command.root ?? contentDir);
    const service = await serve(command, site);
    stopOnSignal(service.close);
    // Last, because whoever waits for this line may send a signal at once.
    if (service.url !== undefined) report(`ready ${service.url}`);
  } catch (error) {
    if (!isExpected(error)) throw error;
    fail(error.message, 1);
  }
}

interface Service {
  /** Where it listens; stdio has no address. */
  readonly url?: string;
  readonly close: () => Promise<void>;
}

async function serve(command: Serve, site: Site): Promise<Service> {
  const createInstance = () => createSiteServer(site);
  const onError = (error: Error) => report(error.message);
  if (command.kind === 'stdio') {
    // The transport waits on stdout once for each answer that is still to be written: a burst of requests
    // from the host is no leak, and a warning about one would be noise in its log.
    process.stdout.setMaxListeners(0);
    const handle = serveStdio(createInstance, { onerror: onError });
    return { close: () => handle.close() };
  }
  return serveOverHttp(createInstance, { host: command.host, port: command.port, onError });
}

/** Nothing is left open after `close`, so the process ends by itself and output that is under way arrives. */
function stopOnSignal(close: () => Promise<void>): void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const stop = () => {
    // A second signal then has its default effect, for whoever does not want to wait.
    for (const signal of signals) process.off(signal, stop);
    void close();
  };
  for (const signal of signals) process.on(signal, stop);
}

/** Faults of the folder and of the address are the user's to mend; anything else should show its stack. */
function isExpected(error: unknown): error is Error {
  return error instanceof CorpusError || (error instanceof Error && 'syscall' in error);
}

function report(message: string): void {
  process.stderr.write(`site-search: ${message}\n`);
}

function fail(message: string, exitCode: number): void {
  report(message);
  process.exitCode = exitCode;
}
