import { type Era, GatewayError, nativeUri, type ServerId } from '../domain/index.ts';
import {
  childMembers,
  type Edit,
  elementSpans,
  errorFrame,
  type Frame,
  insertMember,
  isObjectAt,
  isStringAt,
  type Member,
  reshapeObject,
  type Span,
  splice,
  stringAt,
} from '../wire/index.ts';
import type { HostRequest } from './host.ts';

const RESOURCE_NOT_FOUND_LEGACY = -32002;
const INVALID_PARAMS = -32602;

/** Members that only the stateless revision's results have. */
const MODERN_RESULT: ReadonlySet<string> = new Set(['resultType', 'ttlMs', 'cacheScope']);

export interface InboundContext {
  readonly request: HostRequest;
  readonly server: ServerId;
  readonly upstreamEra: Era;
  /** Undefined when URIs of this server need no rewriting. */
  readonly exposeUri: ((native: string) => string) | undefined;
}

/** True when a response must be seen whole, because some of its bytes may have to change. */
export const needsInbound = (context: InboundContext): boolean =>
  context.request.host.era !== context.upstreamEra || context.exposeUri !== undefined;

/**
 * The response as this host must see it: the upstream's own bytes, with URIs in their exposed form and, across
 * eras, the members that only one of them has.
 *
 * @throws GatewayError UPSTREAM_UNSUPPORTED when the result asks for something that the host cannot give
 */
export function inboundResponse(frame: Frame, context: InboundContext): Buffer {
  if (frame.kind === 'error') return inboundError(frame, context);
  const result = frame.members.get('result');
  const members = childMembers(frame.bytes, result);
  if (result === undefined || members === undefined) {
    throw new GatewayError(
      'UPSTREAM_MALFORMED',
      `Server ${context.server} answered with a result that is not an object`,
    );
  }
  const edits = eraEdits(frame.bytes, result, members, context);
  if (context.exposeUri !== undefined) {
    for (const span of uriSpans(frame.bytes, members)) {
      const native = stringAt(frame.bytes, span) ?? '';
      const exposed = context.exposeUri(nativeUri(native));
      if (exposed !== native) edits.push({ start: span.start, end: span.end, text: JSON.stringify(exposed) });
    }
  }
  return splice(frame.bytes, edits);
}

/** A handshake server's "no such resource" has a code that the stateless revision must not emit. */
function inboundError(frame: Frame, context: InboundContext): Buffer {
  const members = childMembers(frame.bytes, frame.members.get('error'));
  const code = members?.get('code');
  if (context.request.host.era !== 'modern' || code === undefined) return frame.bytes;
  if (Number(frame.bytes.toString('utf8', code.start, code.end)) !== RESOURCE_NOT_FOUND_LEGACY)
    return frame.bytes;
  const uri = context.request.params['uri'];
  const message = stringAt(frame.bytes, members?.get('message')) ?? 'Resource not found';
  return Buffer.from(
    errorFrame(
      context.request.idText,
      INVALID_PARAMS,
      message,
      typeof uri === 'string' ? { uri } : undefined,
    ),
  );
}

function eraEdits(
  bytes: Buffer,
  result: Member,
  members: ReadonlyMap<string, Member>,
  context: InboundContext,
): Edit[] {
  const { host, method } = context.request;
  if (host.era === context.upstreamEra) return [];
  if (host.era === 'modern') {
    const insert = new Map([['resultType', '"complete"']]);
    if (method === 'resources/read') insert.set('ttlMs', '0').set('cacheScope', '"private"');
    return reshapeObject(result, members, (key) => insert.has(key), insert);
  }
  if (stringAt(bytes, members.get('resultType')) === 'input_required') {
    throw new GatewayError(
      'UPSTREAM_UNSUPPORTED',
      `Server ${context.server} needs an answer from the user that this host's protocol revision cannot carry`,
      { data: { server: context.server } },
    );
  }
  const structured = members.get('structuredContent');
  const isUnsuited = structured !== undefined && !isObjectAt(bytes, structured);
  const isDropped = (key: string): boolean =>
    MODERN_RESULT.has(key) || (isUnsuited && key === 'structuredContent');
  return reshapeObject(result, members, isDropped, new Map());
}

/** Where a result names resources: contents of a read, content blocks of a call, messages of a prompt. */
function uriSpans(bytes: Buffer, result: ReadonlyMap<string, Member>): Span[] {
  const spans: Span[] = [];
  for (const item of arrayOf(bytes, result.get('contents')))
    push(spans, bytes, childMembers(bytes, item)?.get('uri'));
  for (const block of arrayOf(bytes, result.get('content'))) blockSpans(spans, bytes, block);
  for (const message of arrayOf(bytes, result.get('messages'))) {
    const content = childMembers(bytes, message)?.get('content');
    if (content !== undefined && isObjectAt(bytes, content)) blockSpans(spans, bytes, content);
    else for (const block of arrayOf(bytes, content)) blockSpans(spans, bytes, block);
  }
  return spans;
}

function blockSpans(spans: Span[], bytes: Buffer, block: Span): void {
  const members = childMembers(bytes, block);
  const type = stringAt(bytes, members?.get('type'));
  if (type === 'resource_link') push(spans, bytes, members?.get('uri'));
  if (type === 'resource') push(spans, bytes, childMembers(bytes, members?.get('resource'))?.get('uri'));
}

function push(spans: Span[], bytes: Buffer, span: Span | undefined): void {
  if (span !== undefined && isStringAt(bytes, span)) spans.push(span);
}

function arrayOf(bytes: Buffer, span: Span | undefined): Span[] {
  return span === undefined || bytes[span.start] !== 0x5b ? [] : elementSpans(bytes, span);
}

/** The params of an update notification with the URI as hosts know it. */
export function exposedUpdate(frame: Frame, exposed: string): Buffer {
  const params = frame.members.get('params');
  const uri = childMembers(frame.bytes, params)?.get('uri');
  return uri === undefined
    ? frame.bytes
    : splice(frame.bytes, [{ start: uri.start, end: uri.end, text: JSON.stringify(exposed) }]);
}

/** The same answer under the id by which the upstream asked. */
export function answerWithId(answer: Frame, idText: string): Buffer {
  const id = answer.members.get('id');
  const edit: Edit =
    id === undefined
      ? insertMember(answer.root, false, 'id', idText)
      : { start: id.start, end: id.end, text: idText };
  return splice(answer.bytes, [edit]);
}
