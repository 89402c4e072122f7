import { isFailing, severity, type Check, type CheckStatus } from './checks.ts';

/** A check that came out worse through the gateway than without it. */
export interface Finding {
  readonly scenario: string;
  readonly id: string;
  /** Undefined when only the run through the gateway has this check. */
  readonly direct: CheckStatus | undefined;
  /** Undefined when the run through the gateway lacks this check. */
  readonly through: CheckStatus | undefined;
  readonly message: string;
}

/**
 * One entry for each (scenario, check id), the worst where an id repeats: how often an id repeats depends on
 * how many messages were exchanged, which may differ between two sound runs.
 */
export function worstChecks(checks: readonly Check[]): Map<string, Check> {
  const worst = new Map<string, Check>();
  for (const check of checks) {
    const key = `${check.scenario}:${check.id}`;
    const before = worst.get(key);
    if (before === undefined || severity(check.status) > severity(before.status)) worst.set(key, check);
  }
  return worst;
}

/** What a run through the gateway lost: checks that got worse, are missing, or fail without a counterpart. */
export function compareRuns(direct: readonly Check[], through: readonly Check[]): Finding[] {
  const before = worstChecks(direct);
  const after = worstChecks(through);
  const findings: Finding[] = [];
  for (const [key, { scenario, id, status }] of before) {
    if (status === 'INFO') continue;
    const now = after.get(key);
    if (now !== undefined && severity(now.status) <= severity(status)) continue;
    findings.push({ scenario, id, direct: status, through: now?.status, message: now?.message ?? '' });
  }
  for (const [key, { scenario, id, status, message }] of after) {
    if (before.has(key) || !isFailing(status)) continue;
    findings.push({ scenario, id, direct: undefined, through: status, message });
  }
  return findings;
}

/** The checks of one run that fail, whatever another run says. */
export function failuresOf(checks: readonly Check[]): Finding[] {
  const failing = [...worstChecks(checks).values()].filter(({ status }) => isFailing(status));
  return failing.map(({ scenario, id, status, message }) => ({
    scenario,
    id,
    direct: undefined,
    through: status,
    message,
  }));
}
