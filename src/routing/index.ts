// Routing: from a host's request to the upstream that serves it, and back.
// In: a request read once, and the exchange that answers it. Out: relayed bytes, or one clear error.
// Also the way back of everything that upstreams say unasked.
export { ownKey } from './connections.ts';
export type { Exchange, Host, HostRequest, RequestNotes } from './host.ts';
export { createHub, type Hub, legacyNotification } from './hub.ts';
export { createLogLevels, isLogLevel, type LogLevels } from './log-levels.ts';
export { createRouter, type RoutedUpstream, type Router, type RouterDeps } from './router.ts';
export type { ListKind, SessionVoice, Subscriber } from './subscriber.ts';
