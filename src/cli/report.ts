import {
  isReportGroup,
  parseSince,
  REPORT_GROUPS,
  type ReportGroup,
  reportJson,
  reportOnce,
  reportTable,
} from '../accounting/index.ts';
import { systemClock } from '../domain/index.ts';
import { createLogger } from '../telemetry/index.ts';
import { CommandError, EXIT } from './exit.ts';
import { readConfig } from './open-gateway.ts';
import { printText } from './print.ts';

export interface ReportOptions {
  readonly config: string;
  readonly since?: string | undefined;
  readonly by?: string | undefined;
  readonly json?: boolean | undefined;
}

/** `tollgate report`: the ledger in figures; a gateway may be running beside it. */
export async function report(options: ReportOptions): Promise<void> {
  const by = groupOf(options.by);
  const since = sinceOf(options.since);
  const config = await readConfig(options.config);
  const logger = createLogger({
    level: 'warn',
    format: config.log.format,
    secrets: () => config.secrets,
  });
  const deps = { config, clock: systemClock, epochNow: Date.now, logger };
  try {
    const made = await reportOnce(deps, since === undefined ? { by } : { by, since });
    printText(options.json === true ? reportJson(made) : reportTable(made).trimEnd());
  } catch (error) {
    throw new CommandError(`the ledger cannot be read: ${(error as Error).message}`, EXIT.failed);
  } finally {
    await logger.close();
  }
}

function groupOf(text = 'total'): ReportGroup {
  if (isReportGroup(text)) return text;
  throw new CommandError(`--by must be one of ${REPORT_GROUPS.join(', ')}`, EXIT.usage);
}

function sinceOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const since = parseSince(text, Date.now());
  if (since !== undefined) return since;
  throw new CommandError(
    '--since must be a time span such as 30m, 24h, 7d or 2w, or a date such as 2026-11-30',
    EXIT.usage,
  );
}
