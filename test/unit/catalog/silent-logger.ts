import type { Logger } from '../../../src/telemetry/index.ts';

/** A log that nobody reads. */
export const silentLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  line: () => undefined,
  warnLimited: () => undefined,
  isEnabled: () => false,
  child: () => silentLogger,
};
