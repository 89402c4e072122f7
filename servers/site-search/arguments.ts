import { parseArgs } from 'node:util';

/** What the command line asks for. */
export type Command =
  | { readonly kind: 'help' }
  | { readonly kind: 'invalid'; readonly problem: string }
  | { readonly kind: 'stdio'; readonly root: string | undefined }
  | {
      readonly kind: 'http';
      readonly root: string | undefined;
      readonly host: string;
      readonly port: number;
    };

export const USAGE: string = `Usage: node servers/site-search/main.js [stdio | http] [options]

  stdio           serve over standard input and output (the default)
  http            serve over Streamable HTTP at /mcp

  --root DIR      serve another folder of Markdown; each sub-folder is a track
  --port NUMBER   http only, default 8765; 0 takes a free port
  --host ADDRESS  http only, default 127.0.0.1
  --help          show this text
`;

/** Outside the ranges that desktop tools and databases usually take. */
const DEFAULT_PORT = 8765;
const HIGHEST_PORT = 65_535;

/** Reads the arguments after the script's name. A mistake is returned as a sentence, never thrown. */
export function parseArguments(argv: readonly string[]): Command {
  let parsed: ReturnType<typeof readFlags>;
  try {
    parsed = readFlags(argv);
  } catch (error) {
    return invalid(error instanceof Error ? error.message : String(error));
  }
  const { values, positionals } = parsed;
  const [transport = 'stdio', surplus] = positionals;
  if (values.help === true) return { kind: 'help' };
  if (surplus !== undefined) return invalid(`"${surplus}" is one argument too many.`);
  if (transport === 'stdio') return forStdio(values);
  if (transport === 'http') return forHttp(values);
  return invalid(`"${transport}" is not a transport; use stdio or http.`);
}

type Flags = ReturnType<typeof readFlags>['values'];

function forStdio({ root, port, host }: Flags): Command {
  if (port === undefined && host === undefined) return { kind: 'stdio', root };
  return invalid('--port and --host need the http transport.');
}

function forHttp({ root, port: portText, host = '127.0.0.1' }: Flags): Command {
  const port = portText === undefined ? DEFAULT_PORT : parsePort(portText);
  if (port !== undefined) return { kind: 'http', root, host, port };
  return invalid(`--port "${portText}" is not a whole number from 0 to ${HIGHEST_PORT}.`);
}

function readFlags(argv: readonly string[]) {
  return parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      root: { type: 'string' },
      port: { type: 'string' },
      host: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
}

function parsePort(text: string): number | undefined {
  if (!/^\d{1,5}$/.test(text)) return undefined;
  const port = Number(text);
  return port <= HIGHEST_PORT ? port : undefined;
}

function invalid(problem: string): Command {
  return { kind: 'invalid', problem };
}
