import { type Requirement, verifiesOf } from './index.ts';

const SPEC = 'https://modelcontextprotocol.io/specification/2026-07-28';

export const entries = [
  {
    id: 'wire:spans:agree-with-json',
    sentence: 'The spans of members and elements cut out the very text that JSON.parse would read.',
  },
  {
    id: 'wire:spans:duplicate-keys',
    sentence:
      'A key that stands twice in an envelope is refused, since readers disagree on which one counts.',
  },
  {
    id: 'wire:splice:nothing-else-changes',
    sentence: 'An edit changes the named spans and leaves every other byte as it was.',
  },
  {
    id: 'wire:frames:ids-keep-spelling',
    spec: `${SPEC}/basic/index`,
    cases: ['B19'],
    sentence: 'An id is carried as the text that its sender wrote: value, type and spelling.',
  },
  {
    id: 'wire:frames:not-a-message',
    cases: ['B43'],
    sentence: 'JSON that is no JSON-RPC 2.0 message is told apart from one.',
  },
  {
    id: 'wire:lines:bytes-not-characters',
    cases: ['B42'],
    sentence:
      'Lines end at LF alone and are decoded whole, however their bytes arrive: characters, CRLF pairs and U+2028 survive.',
  },
  {
    id: 'wire:lines:bounded',
    cases: ['B43'],
    sentence: 'A line above the limit is dropped without being held, and the stream goes on after it.',
  },
  {
    id: 'wire:sse:as-whatwg',
    spec: 'https://html.spec.whatwg.org/multipage/server-sent-events.html',
    cases: ['B41', 'B42'],
    sentence:
      'Event streams are read as WHATWG defines them, byte by byte: CRLF, lone CR, comments, marks, several data lines; an unended event is never reported.',
  },
  {
    id: 'wire:headers:value-encoding',
    spec: `${SPEC}/basic/transports/streamable-http`,
    sentence:
      'Every mirrored value survives its header: encoded where plain text would not, decoded strictly.',
  },
  {
    id: 'wire:headers:param-annotations',
    spec: `${SPEC}/basic/transports/streamable-http`,
    sentence:
      'Only annotations that the specification allows are mirrored; any other makes the tool invalid.',
  },
  {
    id: 'wire:headers:param-values',
    spec: `${SPEC}/basic/transports/streamable-http`,
    sentence: 'Parameter headers are written from the arguments at the exact path, and compared by value.',
  },
] as const satisfies readonly Requirement[];

export const verifies: ReturnType<typeof verifiesOf<typeof entries>> = verifiesOf(entries);
