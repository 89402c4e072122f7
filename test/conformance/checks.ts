import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** As the suite writes them, best first; INFO states a fact and judges nothing. */
const SEVERITIES = ['SUCCESS', 'INFO', 'SKIPPED', 'WARNING', 'FAILURE'] as const;
export type CheckStatus = (typeof SEVERITIES)[number];

/** One check of one scenario, as the suite left it in a result folder. */
export interface Check {
  readonly scenario: string;
  readonly id: string;
  readonly status: CheckStatus;
  readonly message: string;
}

export function severity(status: CheckStatus): number {
  return SEVERITIES.indexOf(status);
}

export function isFailing(status: CheckStatus): boolean {
  return status === 'FAILURE' || status === 'WARNING';
}

const RESULT_FILE = 'checks.json';
const TIMESTAMP = /-\d{4}-\d{2}-\d{2}T[\d-]+Z$/;

/** Reads every result below a folder. `prefix` is what the suite puts before a scenario's name in its folder. */
export async function readChecks(folder: string, prefix: string): Promise<Check[]> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith(RESULT_FILE));
  const checks = await Promise.all(
    files.toSorted().map(async (file) => {
      const scenario = scenarioOf(dirname(file), prefix);
      return parseChecks(scenario, await readFile(join(folder, file), 'utf8'));
    }),
  );
  return checks.flat();
}

function scenarioOf(resultFolder: string, prefix: string): string {
  const name = resultFolder.replace(TIMESTAMP, '');
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}

interface RawCheck {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

function parseChecks(scenario: string, text: string): Check[] {
  const raw = JSON.parse(text) as readonly RawCheck[];
  return raw.map(({ id, status, errorMessage = '' }) => {
    const known = SEVERITIES.find((one) => one === status);
    if (known === undefined) throw new Error(`${scenario} has a check ${id} of unknown status ${status}`);
    return { scenario, id, status: known, message: errorMessage };
  });
}

/** How many scenarios left results, and how many checks each status has. */
export interface Totals {
  readonly scenarios: number;
  readonly ok: number;
  readonly failing: number;
  readonly skipped: number;
}

export function totalsOf(checks: readonly Check[]): Totals {
  const count = (holds: (status: CheckStatus) => boolean) =>
    checks.filter((check) => holds(check.status)).length;
  return {
    scenarios: new Set(checks.map((check) => check.scenario)).size,
    ok: count((status) => status === 'SUCCESS'),
    failing: count(isFailing),
    skipped: count((status) => status === 'SKIPPED'),
  };
}
