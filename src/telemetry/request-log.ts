import type { Logger } from './logger.ts';

/** One request of a host, answered. */
export interface RequestRecord {
  readonly principal: string;
  /** Name and version as the host gives them; for reading only, nothing is decided by it. */
  readonly client?: string | undefined;
  readonly era: string;
  readonly method: string;
  /** Name or URI of what was asked for. */
  readonly name?: string | undefined;
  readonly upstream?: string | undefined;
  /** HTTP status, where there is one. */
  readonly status?: number | undefined;
  /** `ok`, `tool_error`, `error`, `cancelled` or the like. */
  readonly outcome: string;
  /** What went wrong: a code of the gateway's or of JSON-RPC. */
  readonly code?: string | number | undefined;
  readonly durationMs: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
}

export interface RequestLog {
  record(request: RequestRecord): void;
}

export const REQUEST_MESSAGE = 'request';

const MAX_NAME_LENGTH = 256;
const MAX_CLIENT_LENGTH = 64;

const cut = (text: string | undefined, length: number): string | undefined =>
  text !== undefined && text.length > length ? `${text.slice(0, length)}…` : text;

/** One line a request, at level info. Absent fields are left out. */
export function createRequestLog(logger: Logger): RequestLog {
  return {
    record(request) {
      if (!logger.isEnabled('info')) return;
      logger.info(
        {
          principal: request.principal,
          client: cut(request.client, MAX_CLIENT_LENGTH),
          era: request.era,
          method: cut(request.method, MAX_CLIENT_LENGTH),
          name: cut(request.name, MAX_NAME_LENGTH),
          upstream: request.upstream,
          status: request.status,
          outcome: request.outcome,
          code: request.code,
          durationMs: Math.round(request.durationMs * 100) / 100,
          requestBytes: request.requestBytes,
          responseBytes: request.responseBytes,
        },
        REQUEST_MESSAGE,
      );
    },
  };
}
