import type { UpstreamLogger } from './channel.ts';
import type { Deadlines } from './deadlines.ts';

const INTERVAL_MS = 10_000;

/** Warns of junk from a server, at most once in ten seconds, with the number of what was left out. */
export function createSteadyWarning(
  deadlines: Pick<Deadlines, 'now'>,
  logger: UpstreamLogger,
): (what: string) => void {
  let nextAtMs = Number.NEGATIVE_INFINITY;
  let suppressed = 0;
  return (what) => {
    const now = deadlines.now();
    if (now < nextAtMs) {
      suppressed++;
      return;
    }
    nextAtMs = now + INTERVAL_MS;
    logger.warn({ suppressed }, `skipped ${what}`);
    suppressed = 0;
  };
}
