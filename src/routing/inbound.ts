import type { Snapshot } from '../catalog/index.ts';
import { GatewayError, nativeUri, type ServerId } from '../domain/index.ts';
import {
  childMembers,
  type Edit,
  elementSpans,
  type Frame,
  isObjectAt,
  isStringAt,
  type Member,
  reshapeObject,
  type Span,
  splice,
  stringAt,
  textAt,
} from '../wire/index.ts';
import type { InboundContext } from './inbound-context.ts';
import { errorEdits } from './inbound-errors.ts';

/** True when a response must be seen whole, because some of its bytes may have to change. */
export const needsInbound = (context: InboundContext): boolean =>
  context.request.host.era !== context.upstreamEra || context.uris !== undefined;

/**
 * The response as this host must see it: the upstream's own bytes, with URIs in their exposed form and, across
 * eras, the members that only one of them has.
 *
 * @throws GatewayError UPSTREAM_MALFORMED when it holds no result, UPSTREAM_UNSUPPORTED when the result asks for
 * something that the host cannot give; JsonScanError when it can be read in two ways
 */
export function inboundResponse(frame: Frame, context: InboundContext): Buffer {
  if (frame.kind === 'error') return splice(frame.bytes, errorEdits(frame, context));
  const result = frame.members.get('result');
  const members = childMembers(frame.bytes, result);
  if (result === undefined || members === undefined) {
    const what = `Server ${context.server} answered with a result that is not an object`;
    throw new GatewayError('UPSTREAM_MALFORMED', what, { data: { server: context.server } });
  }
  const edits = eraEdits(frame.bytes, result, members, context);
  if (context.uris !== undefined) edits.push(...uriEdits(frame.bytes, members, context.server, context.uris));
  return splice(frame.bytes, edits);
}

function eraEdits(
  bytes: Buffer,
  result: Member,
  members: ReadonlyMap<string, Member>,
  context: InboundContext,
): Edit[] {
  const { host, method } = context.request;
  if (host.era === context.upstreamEra) return [];
  const isRead = method === 'resources/read';
  if (host.era === 'modern') {
    const insert = new Map([['resultType', '"complete"']]);
    if (isRead) insert.set('ttlMs', '0').set('cacheScope', '"private"');
    return reshapeObject(result, members, (key) => insert.has(key), insert);
  }
  if (stringAt(bytes, members.get('resultType')) === 'input_required') {
    throw new GatewayError(
      'UPSTREAM_UNSUPPORTED',
      `Server ${context.server} needs an answer from the user that this host's protocol revision cannot carry`,
      { data: { server: context.server } },
    );
  }
  return legacyEdits(bytes, result, members, isRead);
}

/**
 * A handshake host takes objects alone as structured content, so any other value is left out. A result that says
 * nothing else says it as text, or the host would be shown an empty one.
 */
function legacyEdits(
  bytes: Buffer,
  result: Member,
  members: ReadonlyMap<string, Member>,
  isRead: boolean,
): Edit[] {
  const structured = members.get('structuredContent');
  const isUnsuited = structured !== undefined && !isObjectAt(bytes, structured);
  const content = members.get('content');
  const isSilent = isUnsuited && arrayOf(bytes, content).length === 0;
  const insert = new Map<string, string>();
  if (isSilent) insert.set('content', JSON.stringify([{ type: 'text', text: textAt(bytes, structured) }]));
  const isDropped = (key: string): boolean =>
    key === 'resultType' ||
    (isRead && (key === 'ttlMs' || key === 'cacheScope')) ||
    (isUnsuited && key === 'structuredContent') ||
    (isSilent && key === 'content');
  return reshapeObject(result, members, isDropped, insert);
}

function uriEdits(
  bytes: Buffer,
  result: ReadonlyMap<string, Member>,
  server: ServerId,
  uris: Pick<Snapshot, 'exposeUri'>,
): Edit[] {
  if (!bytes.includes('"uri"')) return [];
  return uriSpans(bytes, result).flatMap((span) => {
    const native = nativeUri(stringAt(bytes, span) ?? '');
    const exposed = uris.exposeUri(server, native);
    return exposed === native ? [] : [{ start: span.start, end: span.end, text: JSON.stringify(exposed) }];
  });
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
