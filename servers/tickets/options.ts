import { parseArgs } from 'node:util';

export interface Options {
  readonly mode: 'stdio' | 'http' | 'help';
  readonly port: number;
  /** Undefined means in memory, with the demo tickets. */
  readonly db: string | undefined;
  /** A fixed clock, so that a demo or a test shows the same bytes every time. */
  readonly fixedNow: Date | undefined;
}

export const DEFAULT_PORT = 8766;

export const USAGE: string = `Usage: tickets [stdio] [--db FILE]
       tickets http [--port ${DEFAULT_PORT}] [--db FILE]

A small ticket tracker as an MCP server.

  --db FILE     keep the tickets in this file; in memory with demo tickets when left out
  --port PORT   port on 127.0.0.1 for http; 0 takes a free one
  --now TIME    pretend that it is this time, for example 2026-01-31T12:00:00Z
  --help        show this text
`;

/** A mistake on the command line; the message says what to write instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new UsageError(`--port must be a number from 0 to 65535, not "${text}"`);
  return port;
}

function readTime(text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) {
    throw new UsageError(`--now must be a time such as 2026-01-31T12:00:00Z, not "${text}"`);
  }
  return time;
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        db: { type: 'string' },
        port: { type: 'string' },
        now: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parse(args);
  const [mode = 'stdio', ...rest] = positionals;
  if ((mode !== 'stdio' && mode !== 'http') || rest.length > 0) {
    throw new UsageError(`"${positionals.join(' ')}" is not a way to start; use stdio or http`);
  }
  if (mode === 'stdio' && values.port !== undefined) throw new UsageError('--port is for http only');
  return {
    mode: values.help === true ? 'help' : mode,
    port: values.port === undefined ? DEFAULT_PORT : readPort(values.port),
    db: values.db,
    fixedNow: values.now === undefined ? undefined : readTime(values.now),
  };
}
