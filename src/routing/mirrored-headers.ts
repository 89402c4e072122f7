import { GatewayError } from '../domain/index.ts';
import {
  checkParamHeaders,
  childMembers,
  encodeHeaderValue,
  type Member,
  type ParamHeader,
  renderParamHeaders,
  textAt,
} from '../wire/index.ts';
import type { ReadRequest } from './read-request.ts';
import type { Target } from './targets.ts';

/**
 * A host must mirror what the tool asks for, whatever the next hop is: the gateway is the server that checks it.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#server-validation
 *
 * @throws GatewayError HEADER_MISMATCH
 */
export function checkMirrored({ request }: ReadRequest, { paramHeaders }: Target): void {
  if (request.headerOf === undefined || paramHeaders.length === 0) return;
  const fault = checkParamHeaders(paramHeaders, request.params['arguments'], request.headerOf);
  if (fault !== undefined) throw new GatewayError('HEADER_MISMATCH', `Header mismatch: ${fault}`);
}

/** The headers that the next hop's server checks against the body, as flat name, value. */
export function mirroredHeaders(read: ReadRequest, target: Target): readonly string[] {
  const headers =
    target.mirroredName === undefined ? [] : ['mcp-name', encodeHeaderValue(target.mirroredName)];
  for (const param of target.paramHeaders) {
    const digits = digitsOf(read, param);
    if (digits === undefined) headers.push(...renderParamHeaders([param], read.request.params['arguments']));
    else headers.push(param.header, digits);
  }
  headers.push(...unrecognized(read, target));
  return headers;
}

/**
 * What a host mirrors without being asked to, as far as this gateway knows: the server may know better, and it is
 * passed on unread. https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#server-behavior-for-custom-headers
 */
function unrecognized({ request }: ReadRequest, { paramHeaders }: Target): string[] {
  const sent = request.paramHeaders?.() ?? [];
  const headers: string[] = [];
  for (let at = 0; at + 1 < sent.length; at += 2) {
    const [name = '', value = ''] = sent.slice(at, at + 2);
    if (!paramHeaders.some(({ header }) => header === name)) headers.push(name, value);
  }
  return headers;
}

const PLAIN_INTEGER = /^-?\d+$/;

/** An integer as its host wrote it: beyond 2^53 its value as a number would be another one than the body's. */
function digitsOf({ request, members }: ReadRequest, param: ParamHeader): string | undefined {
  if (param.type !== 'integer') return undefined;
  let span: Member | undefined = members.get('arguments');
  for (const key of param.path) span = childMembers(request.frame.bytes, span)?.get(key);
  const text = span === undefined ? undefined : textAt(request.frame.bytes, span);
  return text !== undefined && PLAIN_INTEGER.test(text) ? text : undefined;
}
