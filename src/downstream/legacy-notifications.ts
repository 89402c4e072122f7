import { childMembers, textAt } from '../wire/index.ts';
import type { LegacySession } from './legacy-session.ts';
import type { HostMessage } from './message.ts';

/** What a host cancels, and why; undefined when the message does not say. */
export interface Cancellation {
  /** The JSON text of the id: a number of many digits must not lose any. */
  readonly idText: string;
  readonly reason: string;
}

export function cancellationIn(message: HostMessage): Cancellation | undefined {
  if (message.frame.method !== 'notifications/cancelled') return undefined;
  const { requestId, reason } = message.params;
  const span = childMembers(message.frame.bytes, message.paramsSpan)?.get('requestId');
  if (span === undefined || (typeof requestId !== 'string' && typeof requestId !== 'number'))
    return undefined;
  return {
    idText: textAt(message.frame.bytes, span),
    reason: typeof reason === 'string' ? reason : 'The host cancelled it',
  };
}

/** Takes a notification of a handshake host. What no revision defines is dropped, as the protocol asks. */
export function takeNotification(
  session: LegacySession,
  message: HostMessage,
  forward: (session: LegacySession, message: HostMessage) => void,
): void {
  const cancelled = cancellationIn(message);
  if (cancelled !== undefined) session.cancel(cancelled.idText, cancelled.reason);
  else if (message.frame.method === 'notifications/roots/list_changed') forward(session, message);
}
