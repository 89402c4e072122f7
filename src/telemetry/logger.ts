/** What a message is about. Errors go under `err`; values under telling names are masked. */
export interface LogFields {
  readonly [name: string]: unknown;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** The log as every room sees it. No call throws, and none waits for the output. */
export interface Logger {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
  /**
   * A warning that a fault may repeat without end: one line a minute for each key, with the number of
   * those left out. Keys are shared by all children, so a key names the server it is about.
   */
  warnLimited(key: string, fields: LogFields, message: string): void;
  /**
   * A line at level info from finished JSON members, for what is written once a request: nothing is looked
   * for by name in them, so the caller has to keep credentials out.
   */
  line(members: string, message: string): void;
  /** For skipping the making of fields that nobody would read. */
  isEnabled(level: LogLevel): boolean;
  /** A logger that adds these fields to each line. */
  child(fields: LogFields): Logger;
}

/** The logger that owns the output. */
export interface RootLogger extends Logger {
  /** Resolves when everything logged so far has been written. */
  flush(): Promise<void>;
  /** Writes what is left, then ignores further lines. */
  close(): Promise<void>;
}
