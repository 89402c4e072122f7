import { mkdirSync } from 'node:fs';
import {
  ConfigError,
  formatProblem,
  formatProblems,
  type GatewayConfig,
  loadConfig,
} from '../config/index.ts';
import { systemClock } from '../domain/index.ts';
import { createGateway, type Gateway } from '../gateway.ts';
import { createLogger, createTextMask, type RootLogger } from '../telemetry/index.ts';
import { checkBudgets } from './check-budgets.ts';
import { CommandError, EXIT } from './exit.ts';
import { packageVersion } from './version.ts';

export interface OpenOptions {
  readonly configPath: string;
  /** Replaces `listen.port`. */
  readonly port?: number | undefined;
  /** Replaces `log.level`; one-shot commands speak of faults alone. */
  readonly logLevel?: GatewayConfig['log']['level'];
}

export interface OpenGateway {
  readonly gateway: Gateway;
  readonly config: GatewayConfig;
  readonly logger: RootLogger;
}

/** @throws CommandError exit 2, with every problem of the file */
export async function readConfig(path: string): Promise<GatewayConfig> {
  try {
    return await loadConfig({ path, env: process.env });
  } catch (error) {
    if (error instanceof ConfigError) throw new CommandError(formatProblems(error), EXIT.usage);
    throw error;
  }
}

/** Servers may be told to keep their files there, so it exists before any of them starts. */
function makeStateDir(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new CommandError(`stateDir cannot be made: ${(error as Error).message}`, EXIT.failed);
  }
}

/** Reads the configuration and composes the gateway; nothing is started. */
export async function openGateway(options: OpenOptions): Promise<OpenGateway> {
  const read = await readConfig(options.configPath);
  const config =
    options.port === undefined ? read : { ...read, listen: { ...read.listen, port: options.port } };
  makeStateDir(config.stateDir);
  const logger = createLogger({
    level: options.logLevel ?? config.log.level,
    format: config.log.format,
    secrets: () => config.secrets,
  });
  for (const notice of config.notices) logger.warn({}, formatProblem(notice));
  await checkBudgets(config, logger);
  const gateway = createGateway({
    config,
    env: process.env,
    logger,
    clock: systemClock,
    version: packageVersion(),
    redact: createTextMask(config.secrets),
  });
  return { gateway, config, logger };
}
