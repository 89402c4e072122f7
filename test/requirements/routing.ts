import { type Requirement, verifiesOf } from './index.ts';

const SPEC = 'https://modelcontextprotocol.io/specification/2026-07-28';

export const entries = [
  {
    id: 'routing:outbound:arguments-untouched',
    cases: ['B30', 'B32'],
    sentence:
      'Arguments reach the server byte for byte in every pair of eras: big numbers, escapes, nulls, order and white space.',
  },
  {
    id: 'routing:outbound:absent-stays-absent',
    cases: ['B30', 'B29'],
    sentence: 'Absent arguments stay absent, empty ones empty, and a null in their place is dropped.',
  },
  {
    id: 'routing:outbound:native-name',
    spec: `${SPEC}/basic/transports/streamable-http#standard-request-headers`,
    cases: ['B55', 'B39', 'B40'],
    sentence:
      'A server is sent its own name or URI, in the body and in the mirrored header alike, however the host spelled it.',
  },
  {
    id: 'routing:outbound:envelope-of-the-hop',
    spec: `${SPEC}/basic/index#meta`,
    cases: ['B59'],
    sentence:
      'The envelope is that of the next hop: its revision, the caller, and no capability that cannot be bridged.',
  },
  {
    id: 'routing:outbound:foreign-meta-kept',
    cases: ['B35'],
    sentence:
      'Metadata that is not the envelope is kept as it is: trace context, progress token and vendor keys.',
  },
  {
    id: 'routing:inbound:unchanged',
    cases: ['B31', 'B35'],
    sentence:
      'A result reaches the host byte for byte within an era: structured content, unknown blocks, fields and order.',
  },
  {
    id: 'routing:inbound:result-type',
    spec: `${SPEC}/basic/index#resulttype`,
    cases: ['B15', 'B16'],
    sentence:
      'What only the stateless revision has is stamped on results for its hosts and left out for the others.',
  },
  {
    id: 'routing:inbound:structured-for-legacy',
    spec: 'https://modelcontextprotocol.io/specification/2025-11-25/server/tools#structured-content',
    cases: ['B31'],
    sentence:
      'A handshake host gets objects alone as structured content; another value is left out, and said as text when nothing else is.',
  },
  {
    id: 'routing:inbound:error-codes',
    spec: `${SPEC}/basic/index#error-codes`,
    cases: ['B36'],
    sentence:
      'An error keeps code, message and data, except for codes that the host’s revision forbids or gives another meaning.',
  },
  {
    id: 'routing:inbound:uris-exposed',
    cases: ['B38', 'B40'],
    sentence:
      'URIs in contents, resource links, embedded resources and prompt messages are those that hosts know, and no other text is touched.',
  },
  {
    id: 'routing:inbound:malformed',
    cases: ['B36'],
    sentence:
      'A response that is no result, or can be read in two ways, fails its one request and names the server.',
  },
  {
    id: 'routing:inbound:streams',
    cases: ['B44'],
    sentence: 'A large response that needs no edit passes in pieces, and a full host holds its server back.',
  },
  {
    id: 'routing:questions:asked-or-refused',
    spec: 'https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation',
    cases: ['B15'],
    sentence:
      'A question of a handshake server reaches the host that caused it under the server’s own id, or is refused at once.',
  },
  {
    id: 'routing:messages:log-level',
    spec: `${SPEC}/server/utilities/logging`,
    cases: ['B62'],
    sentence:
      'Log messages reach a host at the level it asked for, and a stateless request that did not ask gets none.',
  },
  {
    id: 'routing:messages:level-sent',
    cases: ['B62'],
    sentence:
      'A handshake server is asked for the most verbose level that its hosts want, once for each connection, and a refusal delays nobody.',
  },
  {
    id: 'routing:messages:malformed-dropped',
    cases: ['B09', 'B43'],
    sentence: 'A message that can be read in two ways harms neither its call nor its connection.',
  },
  {
    id: 'routing:headers:checked',
    spec: `${SPEC}/basic/transports/streamable-http#server-behavior-for-custom-headers`,
    sentence:
      'Mirrored arguments of a stateless host are checked against the body, and written anew for the next hop from the very digits.',
  },
  {
    id: 'routing:headers:retried-once',
    spec: `${SPEC}/basic/transports/streamable-http#client-behavior`,
    sentence:
      'A call that a server refused for outdated mirrored headers is sent once more after its list was read again.',
  },
  {
    id: 'routing:cold:lists-first',
    cases: ['B66'],
    sentence:
      'The first request to a process may call, read, get or complete: possible owners are listed first, once.',
  },
  {
    id: 'routing:cold:unreachable',
    cases: ['B36', 'B66'],
    sentence: 'A name of a server that cannot be reached fails with that server’s trouble, never as unknown.',
  },
  {
    id: 'routing:cold:connects-on-demand',
    cases: ['B47'],
    sentence:
      'A call for a server that is down makes one attempt to open it, and waits for that attempt alone.',
  },
  {
    id: 'routing:cancel:reaches-upstream',
    spec: `${SPEC}/basic/patterns/cancellation`,
    sentence: 'A cancelled request is cancelled at its server, and one that was not sent yet is never sent.',
  },
  {
    id: 'routing:ends:exactly-once',
    cases: ['B49'],
    sentence: 'Every request ends once, whatever is thrown while it is served.',
  },
  {
    id: 'routing:connections:own-for-answering-hosts',
    cases: ['B15'],
    sentence:
      'A handshake host that can answer questions has a connection of its own, opened with its capabilities.',
  },
  {
    id: 'routing:hub:changes-to-those-who-want',
    spec: `${SPEC}/basic/patterns/subscriptions`,
    cases: ['B52', 'B53'],
    sentence:
      'A list change is told to the hosts that want it and whose view of that list differs, after it is in force.',
  },
  {
    id: 'routing:hub:updates',
    spec: `${SPEC}/server/resources#subscriptions`,
    cases: ['B60', 'B38'],
    sentence:
      'An update reaches those who watch the resource or one it is part of, under the URI that they know.',
  },
  {
    id: 'routing:hub:watches-released',
    cases: ['B60', 'B50'],
    sentence:
      'A watch ends with its subscriber or its withdrawal, even while the server is still being asked.',
  },
  {
    id: 'routing:hub:questions',
    cases: ['B15'],
    sentence:
      'A question outside of any call is put to the one host that can be meant, and refused where two could be.',
  },
] as const satisfies readonly Requirement[];

export const verifies: ReturnType<typeof verifiesOf<typeof entries>> = verifiesOf(entries);
