import type { HostRequest } from '../routing/index.ts';
import type { LegacySession } from './legacy-session.ts';
import type { HostMessage } from './message.ts';

/** A request of a handshake host as the other rooms see it; its headers carry no meaning. */
export const legacyRequest = (session: LegacySession, message: HostMessage): HostRequest => ({
  host: session.host(),
  frame: message.frame,
  method: message.frame.method ?? '',
  idText: message.frame.idText ?? 'null',
  params: message.params,
  paramsSpan: message.paramsSpan,
  headerOf: undefined,
});
