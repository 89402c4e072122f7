import { nativeUri } from '../domain/index.ts';
import {
  childMembers,
  type Edit,
  type Frame,
  insertMember,
  isStringAt,
  type Member,
  stringAt,
  textAt,
} from '../wire/index.ts';
import type { InboundContext } from './inbound-context.ts';

const RESOURCE_NOT_FOUND_LEGACY = -32_002;
const URL_ELICITATION_LEGACY = -32_042;
const INVALID_PARAMS = -32_602;
const INTERNAL_ERROR = -32_603;

/**
 * What must change in an error: its code, where the host's revision gives it another meaning or none, and the URI
 * of a missing resource. Message and data stay the server's.
 */
export function errorEdits(frame: Frame, context: InboundContext): Edit[] {
  const { bytes } = frame;
  const error = frame.members.get('error');
  const members = childMembers(bytes, error);
  if (error === undefined || members === undefined) return [];
  const code = members.get('code');
  const number = code === undefined ? Number.NaN : Number(textAt(bytes, code));
  const edits = uriEdits(bytes, members, context);
  const replacement = replacementOf(number, context);
  if (code === undefined || replacement === undefined) return edits;
  edits.push({ start: code.start, end: code.end, text: String(replacement) });
  const uri = context.request.params['uri'];
  const isNamed = number !== RESOURCE_NOT_FOUND_LEGACY || members.has('data') || typeof uri !== 'string';
  if (!isNamed) edits.push(insertMember(error, false, 'data', JSON.stringify({ uri })));
  return edits;
}

/**
 * The code for a stateless host in place of one that its revision forbids or gives another meaning: a handshake
 * server may use those of the range that was later reserved as it likes.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic#error-codes
 */
function replacementOf(code: number, { request, upstreamEra }: InboundContext): number | undefined {
  if (request.host.era !== 'modern') return undefined;
  if (code === RESOURCE_NOT_FOUND_LEGACY) return INVALID_PARAMS;
  const isReserved = code <= -32_020 && code >= -32_099;
  return code === URL_ELICITATION_LEGACY || (isReserved && upstreamEra === 'legacy')
    ? INTERNAL_ERROR
    : undefined;
}

/** A missing resource is named by the URI that its host knows. */
function uriEdits(bytes: Buffer, error: ReadonlyMap<string, Member>, context: InboundContext): Edit[] {
  if (context.request.method !== 'resources/read' || context.uris === undefined) return [];
  const span = childMembers(bytes, error.get('data'))?.get('uri');
  if (span === undefined || !isStringAt(bytes, span)) return [];
  const native = nativeUri(stringAt(bytes, span) ?? '');
  const exposed = context.uris.exposeUri(context.server, native);
  return exposed === native ? [] : [{ start: span.start, end: span.end, text: JSON.stringify(exposed) }];
}
