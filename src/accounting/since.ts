const UNITS_MS = new Map([
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
  ['w', 604_800_000],
]);

/**
 * A point in time as people give it: `30m`, `24h`, `7d`, `2w` before now, a date, or a date with a time (UTC
 * where no zone is given). Undefined for anything else.
 */
export function parseSince(text: string, epochNowMs: number): number | undefined {
  const [, amount, unit] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  const unitMs = UNITS_MS.get(unit ?? '');
  if (amount !== undefined && unitMs !== undefined) return epochNowMs - Number(amount) * unitMs;
  if (!/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?)?$/.test(text))
    return undefined;
  const hasZone = /(Z|[+-]\d{2}:\d{2})$/.test(text.slice(10));
  const time = Date.parse(text.length > 10 && !hasZone ? `${text}Z` : text);
  return Number.isNaN(time) ? undefined : time;
}
