// Towards servers: opens and keeps connections, finds their era, walks lists, relays raw frames, listens.
// In: one server's configuration and finished frames. Out: answers to sinks, definitions as raw JSON, events.
// Policy, names and bridging are not known here.
export type {
  CallHandle,
  CallSink,
  ConnectionEvents,
  ConnectionKey,
  UpstreamCall,
  UpstreamConnection,
  UpstreamIdentity,
} from './connection.ts';
export { createUpstream, createUpstreamRuntime } from './create-upstream.ts';
export { isHeaderMismatch } from './failures.ts';
export type { UpstreamDeps, UpstreamRuntime } from './upstream-deps.ts';
export type { Upstream, UpstreamEvents, UpstreamState, UpstreamStatus } from './upstream.ts';
