/**
 * Every fault the gateway itself reports. Match on the code, never on the message; the downstream
 * room maps each code to a JSON-RPC code and an HTTP status in one exhaustive table.
 */
export type GatewayErrorCode =
  | 'UPSTREAM_UNREACHABLE'
  | 'UPSTREAM_TIMEOUT'
  | 'UPSTREAM_CLOSED'
  | 'UPSTREAM_AUTH'
  | 'UPSTREAM_MALFORMED'
  | 'UPSTREAM_REFUSED'
  | 'UPSTREAM_OVERLOADED'
  | 'UPSTREAM_TOO_LARGE'
  | 'UPSTREAM_SESSION_LOST'
  | 'UPSTREAM_UNSUPPORTED'
  | 'CALL_CANCELLED'
  | 'NAME_UNKNOWN'
  | 'REQUEST_INVALID'
  | 'REQUEST_PARAMS'
  | 'ENVELOPE_INVALID'
  | 'METHOD_UNKNOWN'
  | 'HEADER_MISMATCH'
  | 'VERSION_UNSUPPORTED'
  | 'PARSE_ERROR'
  | 'SHUTTING_DOWN'
  | 'INTERNAL';

export interface GatewayErrorOptions {
  /** Goes to the host as JSON-RPC `error.data`; holds no secret. */
  readonly data?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

export class GatewayError extends Error {
  readonly code: GatewayErrorCode;
  readonly data: Readonly<Record<string, unknown>> | undefined;

  constructor(code: GatewayErrorCode, message: string, options: GatewayErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'GatewayError';
    this.code = code;
    this.data = options.data;
  }
}

/** Wraps anything thrown as a `GatewayError`; the original stays as the cause, for the log only. */
export function asGatewayError(thrown: unknown, what: string): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  return new GatewayError('INTERNAL', what, { cause: thrown });
}
