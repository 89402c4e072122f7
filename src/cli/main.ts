#!/usr/bin/env node
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { check } from './check.ts';
import { CommandError, EXIT } from './exit.ts';
import { explain } from './explain.ts';
import { call, get, read, tools } from './one-shot.ts';
import { printError } from './print.ts';
import { report } from './report.ts';
import { search } from './search.ts';
import { serve, stdio } from './serve.ts';
import { packageVersion } from './version.ts';

const DEFAULT_CONFIG = 'gateway.config.yaml';

const EXCESS = "error: too many arguments for 'serve'";
const UNKNOWN_COMMAND = 'error: there is no such command; `tollgate --help` lists them\n';

function portNumber(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError('a port is a number from 0 to 65535');
}

function buildProgram(): Command {
  const program = new Command('tollgate')
    .description('One MCP server in front of many.')
    .version(packageVersion())
    .exitOverride()
    .configureOutput({
      writeErr: (text) => process.stderr.write(text),
      // A word that is no command counts as an argument of the default one, which takes none.
      outputError: (text, write) => write(text.startsWith(EXCESS) ? UNKNOWN_COMMAND : text),
    });
  const command = (name: string, description: string): Command =>
    program
      .command(name, name === 'serve' ? { isDefault: true } : {})
      .description(description)
      .option('-c, --config <file>', 'configuration file', DEFAULT_CONFIG);
  const oneShot = (name: string, description: string): Command =>
    command(name, description)
      .option('--profile <name>', 'view to use')
      .option('--json', 'print one JSON document');

  command('serve', 'run the gateway over HTTP')
    .option('--port <number>', 'port instead of listen.port; 0 takes a free one', portNumber)
    .action(serve);
  command('stdio', 'run the gateway over standard input and output')
    .option('--profile <name>', 'view to serve')
    .action(stdio);
  command('check', 'validate the configuration')
    .option('--connect', 'also connect to every server and walk its lists')
    .option('--json', 'print one JSON document')
    .action(check);
  oneShot('tools', 'list the tools that a host is sent').action(tools);
  oneShot('call', 'call a tool').argument('<name>').argument('[arguments]', 'one JSON object').action(call);
  oneShot('read', 'read a resource').argument('<uri>').action(read);
  oneShot('get', 'get a prompt').argument('<prompt>').argument('[arguments]', 'one JSON object').action(get);
  oneShot('search', 'find tools as the search meta-tool does, with scores')
    .argument('<query...>')
    .option('--server <name>', 'only tools of this server')
    .option('--limit <number>', 'hits at most', Number)
    .action(search);
  oneShot('explain', 'show what hosts are listed, what it costs, and why').action(explain);
  command('report', 'show what was asked for, what it cost and what it saved')
    .option('--since <when>', 'from a time span ago (24h, 7d) or a date on')
    .option('--by <group>', 'one row for each server, tool, client, principal or day')
    .option('--json', 'print one JSON document')
    .action(report);
  return program;
}

// A reader that has seen enough, such as head, or a host that is gone, is no fault of the command.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

try {
  await buildProgram().parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}

/** Prints what went wrong, unless the parser has, and tells how the process ends. */
function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  if (error instanceof CommandError) {
    printError(error.message);
    return error.exitCode;
  }
  printError(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return EXIT.failed;
}
