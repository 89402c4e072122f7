import type { LogFields, Logger } from '../../../src/telemetry/index.ts';

export interface RecordingLogger extends Logger {
  readonly warnings: { readonly message: string; readonly fields: LogFields }[];
}

/** A log that keeps its warnings. */
export function recordingLogger(): RecordingLogger {
  const warnings: RecordingLogger['warnings'] = [];
  const warn = (fields: LogFields, message: string): void => void warnings.push({ fields, message });
  const logger: RecordingLogger = {
    warnings,
    debug: () => undefined,
    info: () => undefined,
    warn,
    error: warn,
    warnLimited: (_key, fields, message) => warn(fields, message),
    line: () => undefined,
    isEnabled: () => true,
    child: () => logger,
  };
  return logger;
}
