import { GatewayError } from '../domain/index.ts';
import { childMembers, type Member } from '../wire/index.ts';
import type { HostRequest } from './host.ts';

/** A request that is relayed, with the members of its params found once for everybody who edits them. */
export interface ReadRequest {
  readonly request: HostRequest;
  readonly paramsSpan: Member;
  readonly members: ReadonlyMap<string, Member>;
}

/** @throws GatewayError REQUEST_PARAMS when it has no params, for every relayed method names something in them */
export function readRequest(request: HostRequest): ReadRequest {
  const { paramsSpan } = request;
  const members = childMembers(request.frame.bytes, paramsSpan);
  if (paramsSpan === undefined || members === undefined) throw paramsFault('params', 'an object');
  return { request, paramsSpan, members };
}

/** A string in params, with its place. @throws GatewayError REQUEST_PARAMS when it is none */
export function stringParam(
  { request, members }: ReadRequest,
  key: string,
): { readonly span: Member; readonly text: string } {
  const text = request.params[key];
  const span = members.get(key);
  if (typeof text !== 'string' || span === undefined) throw paramsFault(`params.${key}`, 'a string');
  return { span, text };
}

export const paramsFault = (where: string, what: string): GatewayError =>
  new GatewayError('REQUEST_PARAMS', `${where} must be ${what}`);
