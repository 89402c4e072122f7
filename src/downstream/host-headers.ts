import type { IncomingMessage } from 'node:http';
import { GatewayError } from '../domain/index.ts';

/** Reads a header of the request, by lower-case name. */
export type HeaderOf = (name: string) => string | undefined;

/**
 * Reads headers that have one value. Node joins repeated ones with a comma, and whoever stands in between may have
 * judged the request by the first alone, so a header that stands twice is refused when it is read.
 */
export function headerReader(req: IncomingMessage): HeaderOf {
  return (name) => {
    const value = req.headers[name];
    if (Array.isArray(value)) return value.join(', ');
    if (value?.includes(', ') === true && isRepeated(req.rawHeaders, name))
      throw new GatewayError('HEADER_MISMATCH', `Header mismatch: ${name} stands twice`);
    return value;
  };
}

function isRepeated(rawHeaders: readonly string[], name: string): boolean {
  const names = rawHeaders.filter((_text, index) => index % 2 === 0);
  return names.filter((text) => text.toLowerCase() === name).length > 1;
}

const PARAM_PREFIX = 'mcp-param-';

/** The headers that mirror arguments, as flat lower-case name, value. */
export function paramHeadersIn(rawHeaders: readonly string[]): string[] {
  const found: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? '';
    if (name.startsWith(PARAM_PREFIX)) found.push(name, rawHeaders[at + 1] ?? '');
  }
  return found;
}

/** What a host says it can read. */
export interface Accepts {
  readonly json: boolean;
  readonly stream: boolean;
  /** It names event streams before single documents, or cannot read documents at all. */
  readonly prefersStream: boolean;
}

const JSON_TYPE = 'application/json';
const STREAM_TYPE = 'text/event-stream';

/** Weights are not read: hosts send the two types that the protocol asks for, or a wildcard. */
export function acceptsOf(header: string | undefined): Accepts {
  const text = (header ?? '*/*').toLowerCase();
  const isAny = text.includes('*/*');
  const json = isAny || text.includes(JSON_TYPE) || text.includes('application/*');
  const stream = isAny || text.includes(STREAM_TYPE) || text.includes('text/*');
  const streamAt = text.indexOf(STREAM_TYPE);
  const isFirst = streamAt >= 0 && streamAt < text.indexOf(JSON_TYPE);
  return { json, stream, prefersStream: stream && (isFirst || !json) };
}

export const isJsonType = (contentType: string | undefined): boolean =>
  contentType !== undefined && /^application\/json\s*(?:;|$)/i.test(contentType.trim());
