// What the gateway tells its operator: log lines without secrets, and counts of requests.
// In: fields and messages of every room, the secret values of the configuration.
// Out: lines on standard error, and text for Prometheus.
export { createLogger, type LoggerOptions } from './create-logger.ts';
export type { LogFields, Logger, LogLevel, RootLogger } from './logger.ts';
export { createTextMask } from './mask.ts';
export { createMetrics, type Metrics } from './metrics.ts';
export { createRequestLog, type RequestLog, type RequestRecord } from './request-log.ts';
export type { LineSink } from './sink.ts';
export { createTokenMetrics, type ListTokens, type TokenMetrics } from './token-metrics.ts';
