import { DEFAULT_PROFILE } from '../domain/index.ts';
import { CommandError, EXIT } from './exit.ts';
import { openGateway } from './open-gateway.ts';
import { stopOnSignals } from './stop.ts';

export interface ServeOptions {
  readonly config: string;
  readonly port?: number | undefined;
}

/** Runs the gateway over HTTP until it is told to stop. */
export async function serve(options: ServeOptions): Promise<void> {
  const opened = await openGateway({ configPath: options.config, port: options.port });
  const stop = stopOnSignals(opened);
  let url: string;
  try {
    url = await opened.gateway.listen();
  } catch (error) {
    await stop();
    throw new CommandError(listenFault(error, opened.config.listen), EXIT.failed);
  }
  process.stderr.write(`tollgate ready ${url}\n`);
  opened.gateway.warmUp();
}

function listenFault(error: unknown, listen: { readonly host: string; readonly port: number }): string {
  const where = `${listen.host}:${listen.port}`;
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'EADDRINUSE')
    return `${where} is in use: stop the other program, set listen.port, or use --port 0`;
  if (code === 'EACCES') return `${where} may not be used by this account: choose a port above 1023`;
  return `cannot listen on ${where}: ${(error as Error).message}`;
}

export interface StdioOptions {
  readonly config: string;
  readonly profile?: string | undefined;
}

/** Runs the gateway for the one host that started it, over standard input and output. */
export async function stdio(options: StdioOptions): Promise<void> {
  const opened = await openGateway({ configPath: options.config });
  const profile = options.profile ?? DEFAULT_PROFILE;
  if (!opened.gateway.policy.hasProfile(profile)) {
    throw new CommandError(`profile "${profile}" is not in ${opened.config.path}`, EXIT.usage);
  }
  const stop = stopOnSignals(opened, () => process.stdin.destroy());
  opened.gateway.serveStdio({
    input: process.stdin,
    output: process.stdout,
    profile,
    onClosed: () => void stop(),
  });
  opened.gateway.warmUp();
}
