import { verifiesOf, type Requirement } from './index.ts';

export const entries = [
  {
    id: 'tickets:eras:all-clients',
    sentence:
      'tickets answers lists, calls, reads, gets and completions alike to modern, legacy and v1 clients',
  },
  {
    id: 'tickets:tools:described',
    spec: 'https://modelcontextprotocol.io/specification/2026-07-28/server/tools',
    sentence:
      'tickets describes every tool, prompt, resource and template, and hints at what each tool changes',
  },
  {
    id: 'tickets:tools:bad-input',
    spec: 'https://modelcontextprotocol.io/specification/2026-07-28/server/tools',
    sentence: 'tickets answers bad input with an isError result that says what is wrong',
  },
  {
    id: 'tickets:resources:unknown',
    spec: 'https://modelcontextprotocol.io/specification/2026-07-28/server/resources',
    sentence: 'tickets answers the reading of an unknown ticket with -32602 and the URI',
  },
  {
    id: 'tickets:changes:list',
    spec: 'https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions',
    sentence: 'tickets tells every connection when a ticket is opened or closed and when its tools change',
  },
  {
    id: 'tickets:changes:subscribed',
    spec: 'https://modelcontextprotocol.io/specification/2025-11-25/server/resources',
    sentence: 'tickets tells of a changed ticket only those who subscribed to it',
  },
  {
    id: 'tickets:export:progress',
    spec: 'https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/progress',
    sentence: 'tickets reports rising progress during an export, to callers who asked for it',
  },
  {
    id: 'tickets:export:cancel',
    spec: 'https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/cancellation',
    sentence: 'tickets stops an export soon after it is cancelled',
  },
  {
    id: 'tickets:process:end',
    spec: 'https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio',
    sentence: 'tickets answers what it has read and ends when its input ends or a signal asks it to',
  },
  {
    id: 'tickets:process:stdout',
    spec: 'https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio',
    sentence: 'tickets writes nothing but protocol messages to standard output',
  },
  {
    id: 'tickets:http:local-only',
    spec: 'https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http',
    sentence: 'tickets refuses requests with a foreign Host or Origin',
  },
  {
    id: 'tickets:store:durable',
    sentence: 'tickets keeps what was written to a database file for the next start',
  },
] as const satisfies readonly Requirement[];

export const verifies: (id: (typeof entries)[number]['id']) => string = verifiesOf(entries);
