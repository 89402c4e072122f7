import type { GatewayError } from '../domain/index.ts';
import { type Fail, HttpRejection } from './failures.ts';

export interface RejectedResponse {
  readonly status: number;
  readonly contentType: string;
  readonly retryAfter: string | undefined;
  readonly body: Buffer;
}

/** The failure of a call whose HTTP response held no JSON-RPC message. The body is for the handshake alone. */
export function rejected(response: RejectedResponse, fail: Fail): GatewayError {
  const { status } = response;
  const cause = new HttpRejection(status, response.body.toString('utf8'));
  const data = { status };
  if (status === 401) return fail('UPSTREAM_AUTH', 'requires authorization (HTTP 401)', { data, cause });
  if (status === 403) return fail('UPSTREAM_AUTH', 'denied access (HTTP 403)', { data, cause });
  if (status === 429) {
    return fail('UPSTREAM_OVERLOADED', 'asks for fewer requests (HTTP 429)', {
      data: response.retryAfter === undefined ? data : { status, retryAfter: response.retryAfter },
      cause,
    });
  }
  if (status >= 500) return fail('UPSTREAM_REFUSED', `failed (HTTP ${status})`, { data, cause });
  if (status >= 400) return fail('UPSTREAM_REFUSED', `refused the request (HTTP ${status})`, { data, cause });
  const what = response.contentType === '' ? 'a body without a content type' : response.contentType;
  return fail('UPSTREAM_MALFORMED', `answered HTTP ${status} with ${what} that holds no JSON-RPC message`, {
    data,
    cause,
  });
}

/** The failure of a request that got no HTTP response, or only a part of one. */
export function broken(error: Error, hasResponse: boolean, fail: Fail): GatewayError {
  const code = reasonOf(error);
  if (hasResponse) {
    return fail('UPSTREAM_CLOSED', `broke the connection in the middle of its answer (${code})`, {
      data: { reason: code },
      cause: error,
    });
  }
  const isUnconnected = NOT_CONNECTED.has(code);
  return isUnconnected
    ? fail('UPSTREAM_UNREACHABLE', `cannot be reached (${code})`, { data: { reason: code }, cause: error })
    : fail('UPSTREAM_CLOSED', `closed the connection before it answered (${code})`, {
        data: { reason: code },
        cause: error,
      });
}

const NOT_CONNECTED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

/** A host with several addresses fails with an aggregate, whose parts say why. */
function reasonOf(error: Error): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const code = (first as NodeJS.ErrnoException | undefined)?.code ?? (error as NodeJS.ErrnoException).code;
  return code ?? error.name;
}
