import { GatewayError, type GatewayErrorCode } from '../domain/index.ts';
import { childMembers, type Frame, textAt } from '../wire/index.ts';

/** Makes the errors of one server: each names it, in the message for people and in the data for programs. */
export type Fail = (
  code: GatewayErrorCode,
  what: string,
  options?: { readonly data?: Readonly<Record<string, unknown>>; readonly cause?: unknown },
) => GatewayError;

export const failuresOf =
  (server: string): Fail =>
  (code, what, options = {}) =>
    new GatewayError(code, `server "${server}" ${what}`, {
      data: { server, ...options.data },
      ...(options.cause === undefined ? {} : { cause: options.cause }),
    });

/** What an HTTP peer said when it did not answer the message: the cause of a failure, for the handshake. */
export class HttpRejection extends Error {
  readonly status: number;
  readonly bodyText: string;
  constructor(status: number, bodyText: string) {
    super(`HTTP ${status}`);
    this.name = 'HttpRejection';
    this.status = status;
    this.bodyText = bodyText;
  }
}

/** The rejection behind a failure, when there is one. */
export const rejectionOf = (error: unknown): HttpRejection | undefined =>
  error instanceof GatewayError && error.cause instanceof HttpRejection ? error.cause : undefined;

/** https://modelcontextprotocol.io/specification/2026-07-28/basic#error-codes */
export const HEADER_MISMATCH = -32_020;
export const UNSUPPORTED_VERSION = -32_022;
export const METHOD_NOT_FOUND = -32_601;

/**
 * True when the server found that a mirrored header and the body disagree: the tool's schema that the
 * headers were made from is out of date, and the call was not carried out.
 */
export const isHeaderMismatch = (error: unknown): boolean =>
  error instanceof GatewayError &&
  error.code === 'UPSTREAM_REFUSED' &&
  error.data?.['upstreamCode'] === HEADER_MISMATCH;

/** The code of an error response; undefined when it has none. */
export function errorCodeOf(frame: Frame): number | undefined {
  const code = childMembers(frame.bytes, frame.members.get('error'))?.get('code');
  if (code === undefined) return undefined;
  const value = Number(textAt(frame.bytes, code));
  return Number.isFinite(value) ? value : undefined;
}

/** The message of an error response. */
export function errorMessageOf(frame: Frame): string {
  const error = frame.members.get('error');
  if (error === undefined) return '';
  try {
    const value = JSON.parse(textAt(frame.bytes, error)) as { message?: unknown } | null;
    return typeof value?.message === 'string' ? value.message.slice(0, 300) : '';
  } catch {
    return '';
  }
}
