import { type Requirement, verifiesOf } from './index.ts';

const HTTP = 'https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http';

export const entries = [
  {
    id: 'downstream:modern:unsupported-version',
    spec: `${HTTP}#protocol-version-header`,
    cases: ['B59'],
    sentence: 'A version that the gateway does not speak is refused with the list of those it does',
  },
  {
    id: 'downstream:modern:header-mismatch',
    spec: `${HTTP}#server-validation`,
    cases: ['B59'],
    sentence: 'A mirrored header that is missing, malformed or says something else than the body is refused',
  },
  {
    id: 'downstream:modern:encoded-name',
    spec: `${HTTP}#value-encoding`,
    sentence: 'An encoded name is decoded, and white space around a value dropped, before it is compared',
  },
  {
    id: 'downstream:modern:repeated-header',
    cases: ['B64'],
    sentence: 'A mirrored header that stands twice is refused, whatever the two say',
  },
  {
    id: 'downstream:modern:envelope-required',
    spec: 'https://modelcontextprotocol.io/specification/2026-07-28/basic#meta',
    sentence: 'A request under the header of the stateless revision needs its whole envelope',
  },
  {
    id: 'downstream:modern:no-handshake',
    spec: 'https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning',
    cases: ['B59'],
    sentence:
      'A method that the stateless revision lacks is answered 404 with method not found, initialize included',
  },
  {
    id: 'downstream:modern:no-sessions',
    spec: `${HTTP}#earlier-streamable-http-revisions`,
    cases: ['B11'],
    sentence: 'The stateless revision ignores session ids and mints none, and has neither GET nor DELETE',
  },
  {
    id: 'downstream:modern:notification',
    spec: `${HTTP}#sending-messages`,
    sentence: 'A posted notification is accepted without a body, unless its headers contradict it',
  },
  {
    id: 'downstream:modern:no-batch',
    spec: `${HTTP}#sending-messages`,
    cases: ['B59'],
    sentence: 'Neither batches nor responses are posted in the stateless revision',
  },
  {
    id: 'downstream:modern:result-stamps',
    spec: 'https://modelcontextprotocol.io/specification/2026-07-28/basic#resulttype',
    sentence: 'Results of a handshake server carry what the stateless revision asks of every result',
  },
  {
    id: 'downstream:modern:cancel-by-leaving',
    spec: `${HTTP}#cancellation`,
    sentence: 'A host that closes its connection cancels the call at the server',
  },
  {
    id: 'downstream:legacy:negotiation',
    spec: 'https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#version-negotiation',
    cases: ['B59'],
    sentence:
      'A handshake agrees on the revision that the host asks for, and on the newest with a handshake when it asks for any other',
  },
  {
    id: 'downstream:legacy:handshake-under-modern-header',
    spec: 'https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning',
    cases: ['B59'],
    sentence: 'A handshake under the header of a revision that has none is refused and opens no session',
  },
  {
    id: 'downstream:legacy:headerless',
    spec: 'https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#protocol-version-header',
    cases: ['B59'],
    sentence: 'Hosts that send no version header are served in the revision of their session',
  },
  {
    id: 'downstream:legacy:two-at-once',
    spec: 'https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management',
    cases: ['B49'],
    sentence: 'Hosts that connect at the same moment get sessions of their own',
  },
  {
    id: 'downstream:legacy:missing-session',
    spec: 'https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management',
    cases: ['B50'],
    sentence:
      'A request without a session id is answered 400 and one of an unknown session 404, each under its own id',
  },
  {
    id: 'downstream:legacy:dead-session',
    spec: 'https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management',
    cases: ['B50'],
    sentence: 'Whatever is sent to a session that was ended is answered 404',
  },
  {
    id: 'downstream:legacy:bad-version-header',
    spec: 'https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#protocol-version-header',
    cases: ['B59'],
    sentence: 'A version header that names no revision with a handshake is answered 400',
  },
  {
    id: 'downstream:legacy:repeated-session',
    cases: ['B64'],
    sentence: 'A session id that stands twice is answered 400 and ends no session',
  },
  {
    id: 'downstream:legacy:get-and-delete',
    spec: 'https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#listening-for-messages-from-the-server',
    cases: ['B11'],
    sentence:
      'GET opens one stream a session, DELETE ends it, and where there is no session both are answered 405 with the methods that exist',
  },
  {
    id: 'downstream:legacy:notifications',
    spec: 'https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#sending-messages-to-the-server',
    sentence: 'Notifications and answers are accepted with 202 and no body',
  },
  {
    id: 'downstream:legacy:unknown-method',
    cases: ['B59'],
    sentence: 'A method that the handshake era lacks is answered in band with method not found',
  },
  {
    id: 'downstream:legacy:leaving-does-not-cancel',
    spec: 'https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery',
    cases: ['B51'],
    sentence:
      'A handshake host that loses its connection finds the answer on the stream it comes back to, once',
  },
  {
    id: 'downstream:legacy:cancelled-by-message',
    spec: 'https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/cancellation',
    sentence:
      'A cancellation by message reaches the server under the id of that hop, and the request gets no response',
  },
  {
    id: 'downstream:legacy:ended-session-cancels',
    cases: ['B50'],
    sentence: 'The end of a session cancels what it had in flight',
  },
  {
    id: 'downstream:batch:served',
    spec: 'https://modelcontextprotocol.io/specification/2025-03-26/basic#batching',
    cases: ['B59'],
    sentence: 'A batch of revision 2025-03-26 is answered with one response for each request',
  },
  {
    id: 'downstream:batch:bad-elements',
    spec: 'https://www.jsonrpc.org/specification#batch',
    sentence:
      'An element of a batch that is no message gets an error of its own, and its neighbours are served',
  },
  {
    id: 'downstream:batch:equal-ids',
    cases: ['B19'],
    sentence: 'The second of two equal ids in a batch is refused and the first unharmed',
  },
  {
    id: 'downstream:batch:nothing-to-answer',
    spec: 'https://modelcontextprotocol.io/specification/2025-03-26/basic/transports#sending-messages-to-the-server',
    sentence: 'A batch without requests is accepted with 202 and no body',
  },
  {
    id: 'downstream:batch:streamed',
    spec: 'https://modelcontextprotocol.io/specification/2025-03-26/basic/transports#sending-messages-to-the-server',
    sentence: 'A batch in which a request reports progress is answered as a stream of single messages',
  },
  {
    id: 'downstream:batch:refused',
    spec: 'https://modelcontextprotocol.io/specification/2025-06-18/changelog',
    cases: ['B59'],
    sentence:
      'Batches are refused in every other revision, when they are empty, and where they hold a message of the stateless one',
  },
] as const satisfies readonly Requirement[];

export const verifies = verifiesOf(entries);
