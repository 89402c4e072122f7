import { type Requirement, verifiesOf } from './index.ts';

const SPEC = 'https://modelcontextprotocol.io/specification/2026-07-28';
const LEGACY = 'https://modelcontextprotocol.io/specification/2025-11-25';

export const entries = [
  {
    id: 'upstream:ids:one-space-a-hop',
    spec: `${SPEC}/basic/index`,
    cases: ['B19'],
    sentence:
      'Callers that use the same id at the same time each get their own answer, under the id as they wrote it.',
  },
  {
    id: 'upstream:progress:tokens',
    spec: `${SPEC}/basic/patterns/progress`,
    sentence:
      'Callers that use the same progress token each hear of their own call, under the token as they wrote it.',
  },
  {
    id: 'upstream:arguments:untouched',
    cases: ['B30'],
    sentence: 'Arguments reach the server byte for byte: absent, empty, null and nested alike.',
  },
  {
    id: 'upstream:stdio:framing',
    spec: `${SPEC}/basic/transports/stdio`,
    cases: ['B42'],
    sentence: 'Messages of a process survive any chunking, CRLF, a mark at the start and wide characters.',
  },
  {
    id: 'upstream:stdio:junk',
    spec: `${SPEC}/basic/transports/stdio`,
    cases: ['B43'],
    sentence:
      'What a process prints besides messages is skipped with a warning now and then, and calls go on.',
  },
  {
    id: 'upstream:stdio:junk-glued',
    cases: ['B43'],
    sentence: 'A message that is glued to junk costs its own call alone.',
  },
  {
    id: 'upstream:stdio:crash',
    spec: `${SPEC}/basic/transports/stdio`,
    cases: ['B46'],
    sentence:
      'When a process ends in whatever way, every pending call fails at once and the next one finds it started again.',
  },
  {
    id: 'upstream:stdio:broken-pipe',
    cases: ['B49'],
    sentence: 'A process that stops reading fails its calls and nothing else.',
  },
  {
    id: 'upstream:stdio:environment',
    cases: ['B56'],
    sentence:
      'A process gets a safe base environment and what its entry names, and nothing else of the gateway.',
  },
  {
    id: 'upstream:stdio:whole-group',
    spec: `${SPEC}/basic/transports/stdio`,
    sentence:
      'Closing ends the process and everything that it started, in less than four seconds, however stubborn they are.',
  },
  {
    id: 'upstream:stdio:windows-commands',
    cases: ['B67'],
    sentence:
      'On Windows batch files are found and started through a shell that no argument can break out of.',
  },
  {
    id: 'upstream:stdio:not-found',
    sentence: 'A command that does not exist is reported as what it is: a fault of the configuration.',
  },
  {
    id: 'upstream:era:probe',
    spec: `${SPEC}/basic/versioning`,
    cases: ['B59'],
    sentence:
      'The era of each server is found by asking, independent of the caller and of any one error code.',
  },
  {
    id: 'upstream:era:process-ends-on-probe',
    spec: `${SPEC}/basic/transports/stdio`,
    sentence: 'A process that ends on the probe is started again and opened in the older way.',
  },
  {
    id: 'upstream:era:slow-start',
    spec: `${SPEC}/basic/transports/stdio`,
    sentence:
      'Silence while a process starts is no verdict: a modern server that answers late is still modern.',
  },
  {
    id: 'upstream:era:handshake-nulls',
    cases: ['B29'],
    sentence: 'Nulls and gaps in a handshake answer count as absent and cost no server.',
  },
  {
    id: 'upstream:lists:bounded',
    spec: `${SPEC}/server/utilities/pagination`,
    cases: ['B28'],
    sentence:
      'A walk over pages ends at repeated cursors, cycles, too many pages and too many entries, and says that it is incomplete.',
  },
  {
    id: 'upstream:lists:cursors',
    spec: `${SPEC}/server/utilities/pagination`,
    cases: ['B28', 'B29'],
    sentence:
      'An empty page with a cursor goes on, an empty cursor is a cursor, null ends; a failing page keeps what came before.',
  },
  {
    id: 'upstream:lists:nulls',
    cases: ['B29'],
    sentence:
      'A null list, null members and null optional fields are tolerated, and entries keep them as they came.',
  },
  {
    id: 'upstream:lists:raw',
    cases: ['B09'],
    sentence: 'Each entry of a list is handed on as its own bytes, whatever is wrong with its neighbours.',
  },
  {
    id: 'upstream:lists:capabilities',
    cases: ['B37'],
    sentence:
      'Only what a server advertises is asked for, and a list that it does not know is empty, not a fault of the server.',
  },
  {
    id: 'upstream:isolation:dead-servers',
    cases: ['B10'],
    sentence:
      'A server that refuses, swallows or delays everything fails within its own deadline, and at once while it rests.',
  },
  {
    id: 'upstream:restart:backoff',
    sentence:
      'Attempts are spaced by growing, jittered waits up to a ceiling, start over after a stable run, and one is made for a caller at any time.',
  },
  {
    id: 'upstream:http:no-standing-stream',
    spec: `${LEGACY}/basic/transports`,
    cases: ['B11'],
    sentence: 'A server without a standing stream is used without one and is not asked again.',
  },
  {
    id: 'upstream:http:closing-stream',
    spec: `${LEGACY}/basic/transports`,
    cases: ['B11'],
    sentence: 'A standing stream that closes at once is opened again ever more rarely.',
  },
  {
    id: 'upstream:http:event-streams',
    spec: `${SPEC}/basic/transports/streamable-http`,
    cases: ['B41'],
    sentence:
      'Answers in event streams of every spelling arrive whole, with what precedes them; a stream without an answer fails its call.',
  },
  {
    id: 'upstream:http:encodings',
    cases: ['B45'],
    sentence:
      'Compressed answers are read although none were asked for; an unknown encoding is an error that names the server.',
  },
  {
    id: 'upstream:http:redirects',
    cases: ['B63'],
    sentence:
      'Redirects are followed with method, body and headers within the origin, in a bounded number, and explained otherwise.',
  },
  {
    id: 'upstream:http:credentials',
    cases: ['B57'],
    sentence: 'The headers of a server go with every request to its origin, and to no other.',
  },
  {
    id: 'upstream:http:legacy-endpoint',
    spec: 'https://modelcontextprotocol.io/specification/2024-11-05/basic/transports',
    cases: ['B41', 'B57'],
    sentence: 'The endpoint that an HTTP+SSE server names is used on its own origin and refused on another.',
  },
  {
    id: 'upstream:http:statuses',
    sentence:
      'JSON-RPC errors pass with their status; other refusals become one clear error that names the server and the status.',
  },
  {
    id: 'upstream:http:hop-errors',
    spec: `${SPEC}/basic/index`,
    sentence: 'Errors that describe this hop alone never reach a caller as the answer of the server.',
  },
  {
    id: 'upstream:http:large-answers',
    sentence:
      'Large answers stream as they arrive, no faster than they are taken; those that need an edit arrive whole.',
  },
  {
    id: 'upstream:http:session-lost',
    spec: `${LEGACY}/basic/transports`,
    sentence: 'When a server forgot the session, a call that it refused is sent once more over a new one.',
  },
  {
    id: 'upstream:http:resumption',
    spec: `${LEGACY}/basic/transports`,
    sentence: 'A legacy call whose stream breaks goes on after the last event, once the server is ready.',
  },
  {
    id: 'upstream:calls:deadlines',
    spec: `${SPEC}/basic/patterns/cancellation`,
    sentence:
      'A call ends at its idle time or its ceiling, signs of life put off the first alone, and the server is told.',
  },
  {
    id: 'upstream:calls:cancelled',
    spec: `${SPEC}/basic/patterns/cancellation`,
    sentence:
      'A cancelled call is withdrawn from the server under its id there, and its caller hears nothing more.',
  },
  {
    id: 'upstream:calls:bounded',
    sentence: 'Calls beyond the limit of a server wait in order, and beyond the queue fail at once.',
  },
  {
    id: 'upstream:questions:one-call',
    spec: `${LEGACY}/client/elicitation`,
    sentence:
      "A question of a server on a shared channel belongs to the one call in flight, and is nobody's when there are more.",
  },
  {
    id: 'upstream:questions:ping',
    spec: `${LEGACY}/basic/utilities/ping`,
    sentence: 'Pings of a server are answered at once, during calls as well.',
  },
  {
    id: 'upstream:changes:list-changed',
    sentence: 'List changes are reported once each, in both eras.',
  },
  {
    id: 'upstream:changes:watched',
    spec: `${SPEC}/basic/patterns/subscriptions`,
    sentence:
      'Resources are watched in whichever way the era has, counted by reference, and again after a restart.',
  },
  {
    id: 'upstream:changes:failed-listen',
    spec: `${SPEC}/basic/patterns/subscriptions`,
    cases: ['B59'],
    sentence: 'A listening request that fails never breaks calls, and is tried again.',
  },
  {
    id: 'upstream:owners:own-connection',
    sentence:
      'A host that can answer questions has a connection of its own to a server with sessions, with its own capabilities.',
  },
] as const satisfies readonly Requirement[];

export const verifies: ReturnType<typeof verifiesOf<typeof entries>> = verifiesOf(entries);
