import { type Era, type GatewayError, type GatewayErrorCode, MODERN_VERSIONS } from '../domain/index.ts';
import { errorFrame } from '../wire/index.ts';

interface Mapping {
  readonly rpcCode: number;
  /** HTTP status of a modern answer. A handshake session gets 200 for everything that names a request. */
  readonly status: number;
}

const IN_BAND = 200;

/**
 * The one place where the gateway's faults become answers. Trouble with an upstream is answered in band: an
 * HTTP error without a modern JSON-RPC error in it makes hosts of both eras believe that they reached an older server.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic#error-codes
 */
export const ERROR_MAPPINGS: Readonly<Record<GatewayErrorCode, Mapping>> = {
  UPSTREAM_UNREACHABLE: { rpcCode: -32603, status: IN_BAND },
  UPSTREAM_TIMEOUT: { rpcCode: -32603, status: IN_BAND },
  UPSTREAM_CLOSED: { rpcCode: -32603, status: IN_BAND },
  UPSTREAM_AUTH: { rpcCode: -32603, status: IN_BAND },
  UPSTREAM_MALFORMED: { rpcCode: -32603, status: IN_BAND },
  UPSTREAM_REFUSED: { rpcCode: -32603, status: IN_BAND },
  UPSTREAM_OVERLOADED: { rpcCode: -32603, status: IN_BAND },
  UPSTREAM_TOO_LARGE: { rpcCode: -32603, status: IN_BAND },
  UPSTREAM_SESSION_LOST: { rpcCode: -32603, status: IN_BAND },
  UPSTREAM_UNSUPPORTED: { rpcCode: -32603, status: IN_BAND },
  CALL_CANCELLED: { rpcCode: -32603, status: IN_BAND },
  NAME_UNKNOWN: { rpcCode: -32602, status: IN_BAND },
  REQUEST_PARAMS: { rpcCode: -32602, status: IN_BAND },
  ENVELOPE_INVALID: { rpcCode: -32602, status: 400 },
  REQUEST_INVALID: { rpcCode: -32600, status: 400 },
  METHOD_UNKNOWN: { rpcCode: -32601, status: 404 },
  HEADER_MISMATCH: { rpcCode: -32020, status: 400 },
  VERSION_UNSUPPORTED: { rpcCode: -32022, status: 400 },
  PARSE_ERROR: { rpcCode: -32700, status: 400 },
  SHUTTING_DOWN: { rpcCode: -32603, status: 503 },
  INTERNAL: { rpcCode: -32603, status: IN_BAND },
};

export interface ErrorAnswer {
  readonly body: string;
  readonly status: number;
}

/** The answer to a request that failed here; `idText` undefined when its id could not be read. */
export function errorAnswer(error: GatewayError, idText: string | undefined, era: Era): ErrorAnswer {
  const { rpcCode, status } = ERROR_MAPPINGS[error.code];
  const data =
    error.code === 'VERSION_UNSUPPORTED' ? { supported: MODERN_VERSIONS, ...error.data } : error.data;
  const isInBand = era === 'legacy' && idText !== undefined && status !== 503;
  return { body: errorFrame(idText, rpcCode, error.message, data), status: isInBand ? IN_BAND : status };
}
