import { formatProblem } from '../config/index.ts';
import { DEFINITION_KINDS } from '../domain/index.ts';
import { createLogger } from '../telemetry/index.ts';
import { checkBudgets } from './check-budgets.ts';
import { EXIT } from './exit.ts';
import { openGateway, readConfig } from './open-gateway.ts';
import { printError, printJson, printText, table } from './print.ts';
import { stopOnSignals } from './stop.ts';

export interface CheckOptions {
  readonly config: string;
  readonly connect?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** `tollgate check`: the configuration and, with `--connect`, every server it names. */
export async function check(options: CheckOptions): Promise<void> {
  if (options.connect === true) return checkServers(options);
  const config = await readConfig(options.config);
  const logger = createLogger({ level: 'error', format: config.log.format, secrets: () => config.secrets });
  try {
    await checkBudgets(config, logger);
  } finally {
    await logger.close();
  }
  const servers = config.servers.map((server) => ({
    server: server.id,
    namespace: server.namespace,
    transport: server.transport.kind,
    enabled: server.enabled,
  }));
  if (options.json === true)
    return printJson({ path: config.path, ok: true, servers, notices: config.notices });
  for (const notice of config.notices) printError(formatProblem(notice));
  const { profiles } = config;
  printText(`${config.path} is sound: ${count(servers, 'server')}, ${count(profiles, 'profile')}`);
}

const count = (items: readonly unknown[], noun: string): string =>
  `${items.length} ${noun}${items.length === 1 ? '' : 's'}`;

async function checkServers(options: CheckOptions): Promise<void> {
  const opened = await openGateway({ configPath: options.config, logLevel: 'silent' });
  const { gateway, config } = opened;
  const stop = stopOnSignals(opened);
  try {
    await Promise.all(
      config.servers.filter((server) => server.enabled).map((server) => gateway.catalog.refresh(server.id)),
    );
    const snapshot = gateway.catalog.current();
    const status = new Map(gateway.status().servers.map((server) => [server['server'], server]));
    const servers = snapshot.servers.map((view) => ({
      server: view.id,
      ok: view.trouble === undefined,
      era: status.get(view.id)?.['era'],
      protocolVersion: status.get(view.id)?.['protocolVersion'],
      ...Object.fromEntries(
        DEFINITION_KINDS.map((kind) => [
          `${kind}s`,
          snapshot.entries(kind).filter((entry) => entry.server === view.id).length,
        ]),
      ),
      trouble: view.trouble,
      withheld: snapshot.diagnostics.filter((item) => item.server === view.id),
    }));
    if (options.json === true)
      printJson({ path: config.path, ok: servers.every((server) => server.ok), servers });
    else printServers(servers);
    if (servers.some((server) => !server.ok)) process.exitCode = EXIT.failed;
  } finally {
    await stop();
  }
}

type Row = Readonly<Record<string, unknown>>;

function printServers(servers: readonly Row[]): void {
  const header = ['server', 'state', 'protocol', 'tools', 'prompts', 'resources', 'templates', 'trouble'];
  const text = (value: unknown): string =>
    typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  const rows = servers.map((server) => [
    text(server['server']),
    server['ok'] === true ? 'ok' : 'failed',
    text(server['protocolVersion']),
    ...DEFINITION_KINDS.map((kind) => text(server[`${kind}s`])),
    text(server['trouble']),
  ]);
  printText(table([header, ...rows]));
  for (const server of servers) {
    for (const item of server['withheld'] as readonly Row[]) {
      printError(
        `${text(server['server'])}: ${text(item['kind'])} ${text(item['entry'])} withheld: ${text(item['reason'])}`,
      );
    }
  }
}
