import { type Requirement, verifiesOf } from './index.ts';

export const entries = [
  {
    id: 'e2e:stop:signals',
    spec: 'https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio#shutdown',
    cases: ['B48'],
    sentence:
      'After a signal the gateway ends by itself in under five seconds, and no process of its servers is left, however hard they are to end',
  },
  {
    id: 'e2e:stop:stdin-end',
    spec: 'https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio#shutdown',
    cases: ['B48', 'B49'],
    sentence: 'After the end of its input the gateway over pipes ends in the same way',
  },
  {
    id: 'e2e:stop:answers-finish',
    sentence:
      'Answers that need no more than a moment finish while the gateway stops, and others are told that their server was stopped',
  },
  {
    id: 'e2e:stop:piped-requests',
    sentence: 'Requests that are piped in are answered although the input ends behind them',
  },
  {
    id: 'e2e:stop:unread-output',
    cases: ['B49'],
    sentence: 'Output that nobody reads does not keep a gateway that was told to stop',
  },
  {
    id: 'e2e:stop:output-closed',
    cases: ['B49'],
    sentence: 'A host that closes its end of the output ends the gateway over pipes, without a fault',
  },
  {
    id: 'e2e:stop:killed',
    cases: ['B48'],
    sentence: 'When the gateway is killed, servers end with their input, and none is left behind',
  },
  {
    id: 'e2e:stop:twice',
    cases: ['B48'],
    sentence: 'A second signal ends the gateway at once, and its servers with it',
  },
  {
    id: 'e2e:stop:one-shot',
    cases: ['B48'],
    sentence: 'A one-shot command leaves no process behind, neither when it ends nor when it is interrupted',
  },
  {
    id: 'e2e:stop:no-new-requests',
    sentence: 'A gateway that stops takes no new connections',
  },
  {
    id: 'e2e:lists:same-bytes',
    cases: ['B54'],
    sentence: 'The bytes of every list are the same over requests, restarts, orders of starting and locales',
  },
  {
    id: 'e2e:start:many-servers',
    sentence:
      'With twenty servers the gateway answers before any of them has started, and the first list has them all',
  },
  {
    id: 'e2e:start:dead-servers',
    cases: ['B10'],
    sentence: 'Servers that are absent, end at once, stay silent or refuse cost the others a short wait once',
  },
] as const satisfies readonly Requirement[];

export const verifies = verifiesOf(entries);
