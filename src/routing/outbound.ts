import type { Era } from '../domain/index.ts';
import {
  childMembers,
  type Edit,
  type Frame,
  insertMember,
  type Member,
  reshapeObject,
  scanFrame,
  splice,
} from '../wire/index.ts';
import type { HostRequest } from './host.ts';

const PREFIX = 'io.modelcontextprotocol/';
const VERSION_KEY = `${PREFIX}protocolVersion`;
const INFO_KEY = `${PREFIX}clientInfo`;
const CAPABILITIES_KEY = `${PREFIX}clientCapabilities`;
const LOG_LEVEL_KEY = `${PREFIX}logLevel`;
/** Members of a modern retry that a handshake server has no place for. */
const MODERN_PARAMS: ReadonlySet<string> = new Set(['inputResponses', 'requestState']);

/** The next hop, as far as the request's bytes depend on it. */
export interface NextHop {
  readonly era: Era;
  readonly protocolVersion: string;
}

/** A value inside `params` that goes out in its native form. */
export interface Rename {
  readonly span: Member;
  readonly native: string;
}

/**
 * The request for the next hop: the host's own bytes, with the native name in place of the exposed one and
 * the envelope of the hop's era. Arguments are never decoded, so numbers, key order and unknown members arrive
 * as the host wrote them.
 */
export function outboundFrame(request: HostRequest, renames: readonly Rename[], hop: NextHop): Frame {
  const { bytes } = request.frame;
  const edits: Edit[] = renames
    .filter(({ span, native }) => !isSameText(bytes, span, native))
    .map(({ span, native }) => ({ start: span.start, end: span.end, text: JSON.stringify(native) }));
  edits.push(...envelopeEdits(request, hop));
  return edits.length === 0 ? request.frame : scanFrame(splice(bytes, edits));
}

const isSameText = (bytes: Buffer, span: Member, text: string): boolean =>
  bytes.toString('utf8', span.start, span.end) === JSON.stringify(text);

function envelopeEdits(request: HostRequest, hop: NextHop): Edit[] {
  const { bytes } = request.frame;
  const members = childMembers(bytes, request.paramsSpan) ?? new Map<string, Member>();
  const meta = members.get('_meta');
  const metaMembers = childMembers(bytes, meta);
  if (request.host.era === hop.era) {
    const version = hop.era === 'modern' ? metaMembers?.get(VERSION_KEY) : undefined;
    if (version === undefined || request.host.protocolVersion === hop.protocolVersion)
      return nullParamEdits(request, members);
    return [
      { start: version.start, end: version.end, text: JSON.stringify(hop.protocolVersion) },
      ...nullParamEdits(request, members),
    ];
  }
  return hop.era === 'modern'
    ? modernEnvelope(request, members, meta, metaMembers, hop)
    : legacyEnvelope(request, members, meta, metaMembers);
}

/** `arguments: null` means none; strict servers refuse the null. Nulls inside the arguments have a meaning and stay. */
function nullParamEdits(request: HostRequest, members: ReadonlyMap<string, Member>): Edit[] {
  if (request.paramsSpan === undefined || request.params['arguments'] !== null) return [];
  return reshapeObject(request.paramsSpan, members, (key) => key === 'arguments', new Map());
}

function modernEnvelope(
  request: HostRequest,
  members: ReadonlyMap<string, Member>,
  meta: Member | undefined,
  metaMembers: ReadonlyMap<string, Member> | undefined,
  hop: NextHop,
): Edit[] {
  const { host } = request;
  const envelope = new Map([[VERSION_KEY, JSON.stringify(hop.protocolVersion)]]);
  if (host.clientInfo !== undefined) envelope.set(INFO_KEY, JSON.stringify(host.clientInfo));
  // A handshake host cannot answer an interim result, so none of its capabilities is promised here.
  envelope.set(CAPABILITIES_KEY, '{}');
  if (host.logLevel !== undefined) envelope.set(LOG_LEVEL_KEY, JSON.stringify(host.logLevel));
  if (meta !== undefined && metaMembers !== undefined) {
    return [
      ...reshapeObject(meta, metaMembers, (key) => envelope.has(key), envelope),
      ...nullParamEdits(request, members),
    ];
  }
  const metaText = `{${[...envelope].map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`;
  if (request.paramsSpan === undefined) {
    return [insertMember(request.frame.root, false, 'params', `{"_meta":${metaText}}`)];
  }
  const isDropped = (key: string): boolean =>
    key === '_meta' || (key === 'arguments' && request.params['arguments'] === null);
  return reshapeObject(request.paramsSpan, members, isDropped, new Map([['_meta', metaText]]));
}

function legacyEnvelope(
  request: HostRequest,
  members: ReadonlyMap<string, Member>,
  meta: Member | undefined,
  metaMembers: ReadonlyMap<string, Member> | undefined,
): Edit[] {
  if (request.paramsSpan === undefined) return [];
  const isEnvelope = (key: string): boolean => key.startsWith(PREFIX);
  const isEmptied = metaMembers !== undefined && [...metaMembers.keys()].every(isEnvelope);
  const isDropped = (key: string): boolean =>
    MODERN_PARAMS.has(key) ||
    (key === '_meta' && (isEmptied || metaMembers === undefined)) ||
    (key === 'arguments' && request.params['arguments'] === null);
  const edits = reshapeObject(request.paramsSpan, members, isDropped, new Map());
  if (meta === undefined || metaMembers === undefined || isEmptied) return edits;
  return [...edits, ...reshapeObject(meta, metaMembers, isEnvelope, new Map())];
}
