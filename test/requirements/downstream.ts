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
  {
    id: 'downstream:perimeter:origin',
    spec: 'https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#security-endpoint',
    cases: ['B64'],
    sentence:
      'A foreign Origin is refused with 403 on every path; an absent one, loop-back ones and configured ones pass',
  },
  {
    id: 'downstream:perimeter:host',
    cases: ['B64'],
    sentence:
      'A Host that names neither this machine nor a configured host is refused on every path, as is none at all',
  },
  {
    id: 'downstream:perimeter:preflight',
    spec: 'https://fetch.spec.whatwg.org/#cors-preflight-request',
    cases: ['B64'],
    sentence:
      'Pages of allowed origins may ask before they send and read every answer, errors included; others may not',
  },
  {
    id: 'downstream:perimeter:every-address',
    cases: ['B64'],
    sentence: 'On every address, any address is a valid Host, and a name only if it is configured',
  },
  {
    id: 'downstream:perimeter:localhost',
    cases: ['B64'],
    sentence: 'A listener on localhost answers on the addresses of that name, at one port',
  },
  {
    id: 'downstream:perimeter:paths',
    cases: ['B63'],
    sentence:
      'The endpoint answers with and without a slash at its end and below it for each profile, and nowhere else',
  },
  {
    id: 'downstream:perimeter:media-types',
    spec: 'https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#sending-messages',
    sentence:
      'A body that is not JSON is refused with 415, a host that reads neither answer with 406, and one that reads only streams gets one',
  },
  {
    id: 'downstream:body:too-large',
    cases: ['B44'],
    sentence: 'A body over the limit is refused with 413 and the name of the limit',
  },
  {
    id: 'downstream:body:bytewise',
    cases: ['B42'],
    sentence: 'A request that arrives one byte at a time is read whole, with every character',
  },
  {
    id: 'downstream:body:unreadable',
    spec: 'https://www.jsonrpc.org/specification#error_object',
    sentence: 'What cannot be read in one way is refused with 400, under its id where there is one',
  },
  {
    id: 'downstream:ids:equal-of-many',
    cases: ['B19'],
    sentence: 'Fifty hosts that all use the id 1 at once each get their own answer',
  },
  {
    id: 'downstream:ids:echoed',
    spec: 'https://www.jsonrpc.org/specification#response_object',
    cases: ['B19'],
    sentence:
      'A response carries the id of its request as it was written, whatever its type, length and spelling',
  },
  {
    id: 'downstream:ids:duplicate-in-flight',
    cases: ['B19'],
    sentence:
      'A second request under an id that a session has in flight is refused, however the id is spelled, and the first unharmed',
  },
  {
    id: 'downstream:ids:stateless-duplicates',
    cases: ['B19'],
    sentence: 'Stateless requests are strangers to one another, equal ids or not',
  },
  {
    id: 'downstream:progress:colliding-tokens',
    spec: 'https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/progress',
    cases: ['B19'],
    sentence: 'Equal progress tokens of many hosts over one server each reach their own host, type included',
  },
  {
    id: 'downstream:bytes:arguments',
    cases: ['B30'],
    sentence: 'Arguments arrive byte for byte as the host wrote them, and a null in their place as none',
  },
  {
    id: 'downstream:bytes:nulls-of-hosts',
    cases: ['B29'],
    sentence: 'A null where a host may leave something out counts as absent, and none is added to the answer',
  },
  {
    id: 'downstream:bytes:definitions',
    cases: ['B35'],
    sentence:
      'A definition is listed with everything its server gave it, known or not; its name alone differs',
  },
  {
    id: 'downstream:bytes:results',
    cases: ['B31', 'B35'],
    sentence: 'A result arrives byte for byte as its server wrote it, whatever it holds',
  },
  {
    id: 'downstream:bytes:results-across-eras',
    cases: ['B35'],
    sentence:
      'A result of a handshake server differs for a stateless host in the members that the revision adds, and in nothing else',
  },
  {
    id: 'downstream:bytes:errors',
    cases: ['B36'],
    sentence: 'An error of a server arrives byte for byte as it was sent',
  },
  {
    id: 'downstream:bytes:structured-for-handshake-hosts',
    spec: 'https://modelcontextprotocol.io/specification/2025-11-25/server/tools#structured-content',
    cases: ['B31'],
    sentence:
      'Structured content that is no object is left out for handshake hosts, whose revisions allow none, and the rest kept',
  },
  {
    id: 'downstream:bytes:large',
    cases: ['B44'],
    sentence: 'Results of fifteen megabytes arrive whole over every transport',
  },
  {
    id: 'downstream:params:checked',
    spec: 'https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#server-behavior-for-custom-headers',
    cases: ['B59'],
    sentence: 'Mirrored arguments are compared with the body, decoded strictly, integers as numbers',
  },
  {
    id: 'downstream:params:unknown',
    spec: 'https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#server-behavior-for-custom-headers',
    sentence:
      'A mirrored header that no argument asks for is passed on to a server that may know it, and otherwise ignored',
  },
  {
    id: 'downstream:questions:answered',
    spec: 'https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation',
    cases: ['B15'],
    sentence:
      'Elicitation, sampling and roots of a handshake server reach the handshake host whose call asks, and its answer returns unchanged',
  },
  {
    id: 'downstream:questions:refused',
    cases: ['B15'],
    sentence: "A host's error in answer to a question reaches the server with its code, message and data",
  },
  {
    id: 'downstream:questions:not-declared',
    cases: ['B15'],
    sentence: 'A host is never asked what it did not declare, and the server is refused at once',
  },
  {
    id: 'downstream:questions:own-ids',
    cases: ['B19'],
    sentence:
      'Questions reach hosts under ids of their own hop, also when the server uses one id for all of them',
  },
  {
    id: 'downstream:questions:withdrawn',
    spec: 'https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/cancellation',
    sentence: 'A question that its server withdraws is withdrawn at the host, by the id that the host knows',
  },
  {
    id: 'downstream:logging:per-host',
    spec: 'https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/logging',
    cases: ['B62'],
    sentence: 'Each handshake host hears the levels it chose, whatever others chose',
  },
  {
    id: 'downstream:logging:stateless',
    spec: 'https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/logging',
    cases: ['B62'],
    sentence: 'A stateless request is sent log messages only if it asked for them, at the level it asked for',
  },
  {
    id: 'downstream:changes:lists',
    spec: 'https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions#acknowledgment',
    cases: ['B52', 'B60'],
    sentence:
      'Who listens for list changes is told of one, under the id it listens with, and finds the new list at once',
  },
  {
    id: 'downstream:changes:resources',
    spec: 'https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions',
    cases: ['B60'],
    sentence:
      'Hosts of both eras are told of the resources they watch and of no other, and the server is let go with the last of them',
  },
  {
    id: 'downstream:changes:of-modern-servers',
    cases: ['B60'],
    sentence: 'Changes that a stateless server reports reach the hosts of both eras',
  },
  {
    id: 'downstream:changes:resumed',
    spec: 'https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery',
    sentence: 'What a handshake host missed while its stream was broken is told when it comes back',
  },
  {
    id: 'downstream:changes:graceful-end',
    spec: 'https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions#graceful-closure',
    cases: ['B60'],
    sentence: 'A gateway that stops ends what is listened on with a result',
  },
  {
    id: 'downstream:hiding:same-answer',
    cases: ['B05'],
    sentence:
      'What policy hides answers exactly as what does not exist, by every method, in both eras and in every profile, and its server hears nothing of it',
  },
  {
    id: 'downstream:hiding:no-other-spelling',
    cases: ['B05'],
    sentence: 'No other spelling of a hidden name leads to it',
  },
  {
    id: 'downstream:hiding:lists',
    cases: ['B05'],
    sentence: 'What policy hides is in no list of its profile',
  },
  {
    id: 'downstream:cold:first-request',
    cases: ['B66'],
    sentence: 'A valid name works on the first request to a process',
  },
  {
    id: 'downstream:cold:unknown-name',
    cases: ['B66'],
    sentence: 'A name that no server has is unknown to a process that has not listed yet, too',
  },
  {
    id: 'downstream:cold:first-list',
    cases: ['B08'],
    sentence: 'The first list waits for a server that answers late, in both eras',
  },
  {
    id: 'downstream:cold:called-twice-at-once',
    cases: ['B66'],
    sentence: 'Calls that arrive before their server has started share one start, and each reaches it once',
  },
  {
    id: 'downstream:stdio:eras',
    spec: 'https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio',
    cases: ['B59'],
    sentence: 'Over pipes each message is served in the era it speaks, before, in and beside a session',
  },
  {
    id: 'downstream:stdio:negotiation',
    cases: ['B59'],
    sentence: 'A handshake over pipes agrees on the same revisions as over HTTP, and may be made again',
  },
  {
    id: 'downstream:stdio:before-handshake',
    cases: ['B59'],
    sentence:
      'Before a handshake, pings are answered, handshake methods refused, and versions judged as over HTTP',
  },
  {
    id: 'downstream:stdio:unreadable',
    sentence:
      'A line that cannot be read is answered with an error, one that is too long with the name of the limit, and the next line is served',
  },
  {
    id: 'downstream:stdio:bytewise',
    cases: ['B42'],
    sentence: 'A message that arrives one byte at a time is read whole, whatever ends its line',
  },
  {
    id: 'downstream:stdio:one-line',
    sentence: 'A message is one line, whatever its server wrote',
  },
  {
    id: 'downstream:stdio:cancellation',
    sentence:
      'A cancellation over pipes reaches the server and leaves the request without a response, in both eras',
  },
  {
    id: 'downstream:stdio:duplicates',
    cases: ['B19'],
    sentence: 'A second request under an id in flight is refused over pipes, and the first unharmed',
  },
  {
    id: 'downstream:stdio:batches',
    spec: 'https://modelcontextprotocol.io/specification/2025-03-26/basic#batching',
    cases: ['B59'],
    sentence: 'A batch over pipes is answered as one array, in revision 2025-03-26 alone',
  },
  {
    id: 'downstream:stdio:questions',
    cases: ['B15'],
    sentence: 'A question of a server reaches the host over pipes, and its answer returns',
  },
  {
    id: 'downstream:stdio:two-calls-two-questions',
    cases: ['B15'],
    sentence: 'Questions that belong to no one call reach the only host there is',
  },
  {
    id: 'downstream:stdio:changes',
    cases: ['B52', 'B60'],
    sentence: 'Over pipes, list changes are told to the session, and to who listens until it stops',
  },
  {
    id: 'downstream:stdio:host-gone',
    cases: ['B49'],
    sentence: 'A host that closes its end is answered what it asked for before, and the gateway stops',
  },
  {
    id: 'downstream:stdio:output-gone',
    cases: ['B49'],
    sentence: 'A host that reads no more ends the gateway and breaks nothing',
  },
  {
    id: 'downstream:breakage:every-phase',
    cases: ['B49'],
    sentence: 'A host that breaks its connection at any point of any request disturbs nobody',
  },
  {
    id: 'downstream:breakage:during-stream',
    cases: ['B49'],
    sentence: 'A host that leaves in the middle of a stream cancels its call, and the gateway goes on',
  },
  {
    id: 'downstream:breakage:before-start',
    cases: ['B49'],
    sentence: 'A call that its host gives up while its server starts is not left running',
  },
  {
    id: 'downstream:breakage:handshake',
    cases: ['B50'],
    sentence: 'A session whose host left before it learned its id ends at once',
  },
  {
    id: 'downstream:slow-reader:document',
    cases: ['B44'],
    sentence: 'A large result is taken from its server no faster than its host reads it',
  },
  {
    id: 'downstream:slow-reader:notifications',
    cases: ['B44'],
    sentence: 'A host that does not read what it is told costs a bounded amount of memory',
  },
  {
    id: 'downstream:body:refused-early',
    cases: ['B44'],
    sentence: 'A host that sends far more than the limit reads why it is refused',
  },
  {
    id: 'downstream:sessions:full',
    cases: ['B50'],
    sentence:
      'When sessions run out the idlest gives way, and when none is idle a handshake is refused with 503',
  },
  {
    id: 'downstream:errors:documented',
    sentence:
      'Every error of the gateway is documented with its code, number and status, and nothing else is',
  },
  {
    id: 'downstream:resume:old-hosts',
    spec: 'https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation',
    sentence: 'Hosts of revisions that know no event without data are sent none to take for a message',
  },
  {
    id: 'downstream:resume:bounded',
    cases: ['B50'],
    sentence:
      'What is kept for hosts that may come back is bounded in number and size, and the last event is always kept',
  },
  {
    id: 'downstream:sessions:idle',
    cases: ['B50'],
    sentence: 'A session that nobody uses ends after its idle time, and each use begins it anew',
  },
  {
    id: 'downstream:sessions:busy',
    cases: ['B50'],
    sentence: 'A session with a call in flight or an open stream never ends for its age',
  },
  {
    id: 'downstream:exchange:no-reader',
    cases: ['B44'],
    sentence: 'A result whose host has left is taken to its end without waiting for a reader',
  },
  {
    id: 'downstream:waiting:signs-of-life',
    cases: ['B12'],
    sentence: 'A request that waits long is shown signs of life, from ten seconds on',
  },
  {
    id: 'downstream:stdio:slow-host',
    cases: ['B44'],
    sentence: 'A host that does not read its answers is not listened to until it does',
  },
  {
    id: 'downstream:lists:cursors',
    spec: 'https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination#error-handling',
    sentence:
      'Lists are sent whole, so that every cursor is one that the gateway never gave out, and refused',
  },
  {
    id: 'downstream:logging:late-server',
    cases: ['B62'],
    sentence: 'A level that a host chose holds for servers that start later',
  },
  {
    id: 'downstream:breakage:modern-server',
    spec: 'https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#cancellation',
    cases: ['B49'],
    sentence: 'A host that leaves ends the connection to a stateless server that works for it',
  },
  {
    id: 'downstream:questions:many-calls-of-one-host',
    cases: ['B15'],
    sentence:
      "Questions that could belong to any of one host's calls reach that host on a stream it has open",
  },
  {
    id: 'downstream:versions:matrix',
    spec: 'https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning',
    cases: ['B59'],
    sentence: "Hosts of every revision use servers of both eras, and neither side sees the other's revision",
  },
] as const satisfies readonly Requirement[];

export const verifies = verifiesOf(entries);
