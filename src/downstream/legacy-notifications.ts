import type { LegacySession } from './legacy-session.ts';
import type { HostMessage } from './message.ts';

/** Takes a notification of a handshake host. What no revision defines is dropped, as the protocol asks. */
export function takeNotification(
  session: LegacySession,
  message: HostMessage,
  forward: (session: LegacySession, message: HostMessage) => void,
): void {
  switch (message.frame.method) {
    case 'notifications/cancelled':
      cancel(session, message);
      break;
    case 'notifications/roots/list_changed':
      forward(session, message);
      break;
    default:
  }
}

function cancel(session: LegacySession, message: HostMessage): void {
  const { requestId, reason } = message.params;
  const isId = typeof requestId === 'string' || typeof requestId === 'number';
  if (isId)
    session.inFlight
      .get(JSON.stringify(requestId))
      ?.cancel(typeof reason === 'string' ? reason : 'The host cancelled it');
}
