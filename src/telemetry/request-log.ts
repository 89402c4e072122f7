import type { Logger } from './logger.ts';
import { cleanText } from './redact.ts';

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

/** Text that JSON writes as it is, and too simple for a credential that `cleanText` knows. */
const PLAIN = /^[\w./:@#+*()-]*$/;

/** `,"name":"text"`; nothing for what is absent. What callers wrote is cut and loses what looks like a credential. */
function textMember(name: string, text: string | undefined, maxLength: number): string {
  if (text === undefined) return '';
  const short = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  if (PLAIN.test(short) && !short.includes('://')) return `,"${name}":"${short}"`;
  return `,"${name}":${JSON.stringify(cleanText(short))}`;
}

const codeMember = (code: string | number | undefined): string =>
  code === undefined ? '' : `,"code":${JSON.stringify(code)}`;

const toHundredths = (value: number): number => Math.round(value * 100) / 100;

/** One line a request, at level info. Absent fields are left out. */
export function createRequestLog(logger: Logger): RequestLog {
  return {
    record(request) {
      if (!logger.isEnabled('info')) return;
      const members =
        `"principal":${JSON.stringify(request.principal)}` +
        textMember('client', request.client, MAX_CLIENT_LENGTH) +
        `,"era":"${request.era}"` +
        textMember('method', request.method, MAX_CLIENT_LENGTH) +
        textMember('name', request.name, MAX_NAME_LENGTH) +
        textMember('upstream', request.upstream, MAX_CLIENT_LENGTH) +
        (request.status === undefined ? '' : `,"status":${request.status}`) +
        textMember('outcome', request.outcome, MAX_CLIENT_LENGTH) +
        codeMember(request.code) +
        `,"durationMs":${toHundredths(request.durationMs)}` +
        `,"requestBytes":${request.requestBytes},"responseBytes":${request.responseBytes}`;
      logger.line(members, REQUEST_MESSAGE);
    },
  };
}
