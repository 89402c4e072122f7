import type { Era } from '../domain/index.ts';
import {
  childMembers,
  type Edit,
  type Frame,
  type Member,
  reshapeObject,
  spliceFrame,
} from '../wire/index.ts';
import type { ReadRequest } from './read-request.ts';

const PREFIX = 'io.modelcontextprotocol/';
const VERSION_KEY = `${PREFIX}protocolVersion`;
const INFO_KEY = `${PREFIX}clientInfo`;
const CAPABILITIES_KEY = `${PREFIX}clientCapabilities`;
const LOG_LEVEL_KEY = `${PREFIX}logLevel`;
const ENVELOPE: ReadonlySet<string> = new Set([VERSION_KEY, INFO_KEY, CAPABILITIES_KEY, LOG_LEVEL_KEY]);
/** Members of a modern retry that a handshake server has no place for. */
const MODERN_PARAMS: ReadonlySet<string> = new Set(['inputResponses', 'requestState']);
/** A result of this extension is polled with methods that are not relayed, so it is promised to no server. */
const TASKS = 'io.modelcontextprotocol/tasks';

const NOTHING: ReadonlyMap<string, string> = new Map();

/** The next hop, as far as the request's bytes depend on it. */
export interface NextHop {
  readonly era: Era;
  readonly protocolVersion: string;
}

/** A value inside `params` that goes out in another form: the server's own. */
export interface Rename {
  readonly span: Member;
  readonly native: string;
}

/**
 * The request for the next hop: the host's own bytes, with the native name in place of the exposed one and
 * the envelope of the hop's era. Arguments are never decoded, so numbers, key order and unknown members arrive
 * as the host wrote them.
 */
export function outboundFrame(read: ReadRequest, rename: Rename | undefined, hop: NextHop): Frame {
  const edits: Edit[] = envelopeEdits(read, hop);
  if (rename !== undefined) {
    const { span, native } = rename;
    edits.push({ start: span.start, end: span.end, text: JSON.stringify(native) });
  }
  return spliceFrame(read.request.frame, edits);
}

function envelopeEdits(read: ReadRequest, hop: NextHop): Edit[] {
  const { host } = read.request;
  if (host.era !== hop.era) return hop.era === 'modern' ? modernEnvelope(read, hop) : legacyEnvelope(read);
  const edits = nullArgumentEdits(read);
  if (hop.era === 'modern') edits.push(...sameEraEdits(read, hop));
  return edits;
}

/** `arguments: null` means none; strict servers refuse the null. Nulls inside the arguments have a meaning and stay. */
function nullArgumentEdits(read: ReadRequest): Edit[] {
  if (!hasNullArguments(read)) return [];
  return reshapeObject(read.paramsSpan, read.members, (key) => key === 'arguments', NOTHING);
}

const hasNullArguments = (read: ReadRequest): boolean => read.request.params['arguments'] === null;

function sameEraEdits({ request, members }: ReadRequest, hop: NextHop): Edit[] {
  const { host, frame } = request;
  const isSameVersion = host.protocolVersion === hop.protocolVersion;
  const hasTasks = extensionsOf(host.capabilities)?.[TASKS] !== undefined;
  if (isSameVersion && !hasTasks) return [];
  const meta = childMembers(frame.bytes, members.get('_meta'));
  const version = isSameVersion ? undefined : meta?.get(VERSION_KEY);
  const edits: Edit[] =
    version === undefined
      ? []
      : [{ start: version.start, end: version.end, text: JSON.stringify(hop.protocolVersion) }];
  const span = childMembers(frame.bytes, meta?.get(CAPABILITIES_KEY))?.get('extensions');
  const extensions = hasTasks ? childMembers(frame.bytes, span) : undefined;
  if (span !== undefined && extensions !== undefined)
    edits.push(...reshapeObject(span, extensions, (key) => key === TASKS, NOTHING));
  return edits;
}

function extensionsOf(capabilities: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined {
  const { extensions } = capabilities;
  return typeof extensions === 'object' && extensions !== null
    ? (extensions as Record<string, unknown>)
    : undefined;
}

function modernEnvelope(read: ReadRequest, hop: NextHop): Edit[] {
  const { host, frame } = read.request;
  const envelope = new Map([[VERSION_KEY, JSON.stringify(hop.protocolVersion)]]);
  if (host.clientInfo !== undefined) envelope.set(INFO_KEY, JSON.stringify(host.clientInfo));
  // A handshake host cannot answer an interim result, so none of its capabilities is promised here.
  envelope.set(CAPABILITIES_KEY, '{}');
  if (host.logLevel !== undefined) envelope.set(LOG_LEVEL_KEY, JSON.stringify(host.logLevel));
  const meta = read.members.get('_meta');
  const metaMembers = childMembers(frame.bytes, meta);
  if (meta !== undefined && metaMembers !== undefined) {
    const edits = reshapeObject(meta, metaMembers, (key) => ENVELOPE.has(key), envelope);
    return [...edits, ...nullArgumentEdits(read)];
  }
  const metaText = `{${[...envelope].map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`;
  const isNull = hasNullArguments(read);
  const isDropped = (key: string): boolean => key === '_meta' || (key === 'arguments' && isNull);
  return reshapeObject(read.paramsSpan, read.members, isDropped, new Map([['_meta', metaText]]));
}

function legacyEnvelope(read: ReadRequest): Edit[] {
  const meta = read.members.get('_meta');
  const metaMembers = childMembers(read.request.frame.bytes, meta);
  const isEmptied =
    metaMembers === undefined || [...metaMembers.keys()].every((key) => key.startsWith(PREFIX));
  const isNull = hasNullArguments(read);
  const isDropped = (key: string): boolean =>
    MODERN_PARAMS.has(key) || (key === '_meta' && isEmptied) || (key === 'arguments' && isNull);
  const edits = reshapeObject(read.paramsSpan, read.members, isDropped, NOTHING);
  if (meta !== undefined && metaMembers !== undefined && !isEmptied)
    edits.push(...reshapeObject(meta, metaMembers, (key) => key.startsWith(PREFIX), NOTHING));
  return edits;
}
