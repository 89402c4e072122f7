import { Envelope, type Members } from './envelope.ts';
import {
  isObjectAt,
  JsonScanError,
  type Member,
  memberSpans,
  scanRoot,
  type Span,
  stringAt,
  isTextAt,
  twice,
} from './json-spans.ts';

/** What a JSON-RPC frame is, by the members it has. */
export type FrameKind = 'request' | 'notification' | 'response' | 'error';

/** One JSON-RPC message as bytes, with the spans of its envelope. */
export interface Frame {
  readonly bytes: Buffer;
  readonly kind: FrameKind;
  readonly root: Span;
  readonly members: Members;
  /** Present on requests and notifications. */
  readonly method: string | undefined;
  /** The JSON text of the id, type and spelling kept; undefined when absent or null. */
  readonly idText: string | undefined;
}

/** @throws JsonScanError when the bytes are not one JSON-RPC 2.0 message. */
export function scanFrame(bytes: Buffer): Frame {
  const members = new Envelope();
  const root = scanRoot(bytes, (name, member) => {
    if (members.has(name)) throw twice(name, member.keyStart);
    members.set(name, member);
  });
  if (members.jsonrpc === undefined || !isTextAt(bytes, members.jsonrpc, '"2.0"'))
    throw new JsonScanError('"jsonrpc" is not "2.0"', root.start);
  const method = stringAt(bytes, members.method);
  const idText = idTextAt(bytes, members.id);
  const kind = kindOf(members, method, idText);
  return { bytes, kind, root, members, method, idText };
}

function kindOf(members: Members, method: string | undefined, idText: string | undefined): FrameKind {
  if (method !== undefined) return idText === undefined ? 'notification' : 'request';
  if (members.has('result')) return 'response';
  if (members.has('error')) return 'error';
  throw new JsonScanError('a message has a method, a result or an error', 0);
}

/** Ids are strings or numbers; anything else is treated as no id. */
function idTextAt(bytes: Buffer, span: Span | undefined): string | undefined {
  if (span === undefined) return undefined;
  const first = bytes[span.start];
  const isString = first === 0x22;
  const isNumber = first === 0x2d || (first !== undefined && first >= 0x30 && first <= 0x39);
  return isString || isNumber ? bytes.toString('utf8', span.start, span.end) : undefined;
}

/** The members of an object member of `span`'s object; undefined when it is absent or not an object. */
export function childMembers(bytes: Buffer, span: Span | undefined): Map<string, Member> | undefined {
  if (span === undefined || !isObjectAt(bytes, span)) return undefined;
  return memberSpans(bytes, span);
}

/** `{"jsonrpc":"2.0","id":…,"result":…}` around finished JSON text. */
export const resultFrame = (idText: string, resultText: string): string =>
  `{"jsonrpc":"2.0","id":${idText},"result":${resultText}}`;

/** An error response; `idText` undefined means that the request's id could not be read. */
export function errorFrame(
  idText: string | undefined,
  code: number,
  message: string,
  data?: unknown,
): string {
  const error = JSON.stringify(data === undefined ? { code, message } : { code, message, data });
  return `{"jsonrpc":"2.0","id":${idText ?? 'null'},"error":${error}}`;
}

export const notificationFrame = (method: string, paramsText?: string): string =>
  paramsText === undefined
    ? `{"jsonrpc":"2.0","method":${JSON.stringify(method)}}`
    : `{"jsonrpc":"2.0","method":${JSON.stringify(method)},"params":${paramsText}}`;

export const requestFrame = (idText: string, method: string, paramsText: string): string =>
  `{"jsonrpc":"2.0","id":${idText},"method":${JSON.stringify(method)},"params":${paramsText}}`;
