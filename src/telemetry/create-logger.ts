import { pino, type Logger as PinoLogger } from 'pino';

import { type Clock, systemClock } from '../domain/index.ts';
import type { LogFields, Logger, LogLevel, RootLogger } from './logger.ts';
import { createMask } from './mask.ts';
import { prettyLine } from './pretty.ts';
import { cleanText, createRedactor, type Redact } from './redact.ts';
import { createLineSink, type LineSink } from './sink.ts';
import { createWarnLimiter, type WarnLimiter } from './warn-limiter.ts';

export interface LoggerOptions {
  readonly level: LogLevel | 'silent';
  /** `auto` is for people on a terminal and for machines elsewhere. */
  readonly format: 'auto' | 'json' | 'pretty';
  /** Standard error by default. */
  readonly destination?: LineSink;
  /** True where a person watches; by default, whether standard error is a terminal. */
  readonly isTerminal?: boolean;
  /** Values to mask wherever they appear. Read anew when the function returns another object. */
  readonly secrets?: () => Iterable<string>;
  readonly clock?: Clock;
}

/** Builds the log. Lines are written in order, without waiting, and all of them before `close` resolves. */
export function createLogger(options: LoggerOptions): RootLogger {
  const isTerminal = options.isTerminal ?? process.stderr.isTTY === true;
  const isPretty = options.format === 'pretty' || (options.format === 'auto' && isTerminal);
  const mask = createMask(options.secrets ?? (() => []));
  const render = isPretty ? (line: string) => prettyLine(mask(line), { withColour: isTerminal }) : mask;
  const timestamp = createTimestamp();
  const droppedLine = (dropped: number): string =>
    render(
      `{"level":"warn"${timestamp()},"dropped":${dropped},"msg":"lines were dropped: nobody read the log"}\n`,
    );
  const sink = options.destination ?? createLineSink(2, { droppedLine });
  const root = pino(
    {
      level: options.level,
      base: null,
      timestamp,
      formatters: { level: (label) => ({ level: label }) },
      // Errors come already reduced to what may be shown.
      serializers: { err: (err: unknown) => err },
    },
    { write: (line) => sink.write(render(line)) },
  );
  const writeLine = (text: string): void => sink.write(render(text));
  const limiter = createWarnLimiter(options.clock ?? systemClock);
  return {
    ...wrap(root, { limiter, redact: createRedactor(), timestamp, writeLine }, ''),
    flush: () => sink.flush(),
    async close() {
      for (const { key, suppressed } of limiter.leftovers()) {
        root.warn({ key, suppressed }, 'warnings were left out');
      }
      await sink.close();
    },
  };
}

/** The time member of a line. Many lines fall into one millisecond, and a date costs more than a look-up. */
function createTimestamp(): () => string {
  let lastMs = 0;
  let text = '';
  return () => {
    const nowMs = Date.now();
    if (nowMs !== lastMs) [lastMs, text] = [nowMs, `,"time":"${new Date(nowMs).toISOString()}"`];
    return text;
  };
}

interface Shared {
  readonly limiter: WarnLimiter;
  readonly redact: Redact;
  readonly timestamp: () => string;
  readonly writeLine: (line: string) => void;
}

/** The fields as JSON members with a comma in front of each. */
function membersOf(fields: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify(fields);
  return text === '{}' ? '' : `,${text.slice(1, -1)}`;
}

/** `bound` holds what is added to each line, as JSON members. */
function wrap(target: PinoLogger, shared: Shared, bound: string): Logger {
  const { limiter, redact, timestamp, writeLine } = shared;
  const write = (level: LogLevel, fields: LogFields, message: string): void => {
    if (target.isLevelEnabled(level)) target[level](redact(fields), cleanText(message));
  };
  return {
    debug: (fields, message) => write('debug', fields, message),
    info: (fields, message) => write('info', fields, message),
    warn: (fields, message) => write('warn', fields, message),
    error: (fields, message) => write('error', fields, message),
    warnLimited(key, fields, message) {
      const suppressed = limiter.admit(key);
      if (suppressed === undefined) return;
      write('warn', suppressed === 0 ? fields : { ...fields, suppressed }, message);
    },
    line(members, message) {
      if (!target.isLevelEnabled('info')) return;
      writeLine(`{"level":"info"${timestamp()}${bound},${members},"msg":"${message}"}\n`);
    },
    isEnabled: (level) => target.isLevelEnabled(level),
    child(fields) {
      const clean = redact(fields);
      return wrap(target.child(clean), shared, bound + membersOf(clean));
    },
  };
}
