// Downstream: the one endpoint that hosts speak to, over HTTP and pipes, in both eras.
// In: requests of hosts. Out: what exposure lists and routing relays, with every rule of the transport kept.
// The gateway is a server in its own right here: nothing goes further that it has not checked.
export { errorAnswer } from './error-responses.ts';
export { createHttpEndpoint } from './http-endpoint.ts';
export {
  createHttpServer,
  createWaitingRegister,
  type GatewayStatus,
  type HttpServer,
} from './http-server.ts';
export { createLegacyHttp } from './legacy-http.ts';
export type { LegacySession } from './legacy-session.ts';
export { createListenStreams, type ListenStreams } from './listen.ts';
export type { HostMessage } from './message.ts';
export { createMethods, type Methods } from './methods.ts';
export type { Outcome, OutcomeListener } from './outcome.ts';
export { createPerimeter } from './perimeter.ts';
export { createSessionStore, type SessionStore } from './session-store.ts';
export { createStdioEndpoint, type StdioEndpoint } from './stdio-endpoint.ts';
