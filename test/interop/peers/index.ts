// Every kind of client that must see the same through the gateway as without it.
// In: nothing. Out: the peers, each with its name and the transports that it speaks.
import type { Peer } from '../ask.ts';
import { curlLegacy, curlModern } from './curl.ts';
import { python } from './python.ts';
import { rawStdio } from './raw-stdio.ts';
import { sdkFirst } from './sdk-first.ts';
import { sdkSecond } from './sdk-second.ts';

export const peers: readonly Peer[] = [
  sdkSecond('auto'),
  sdkSecond({ pin: '2026-07-28' }),
  sdkSecond('legacy'),
  sdkFirst,
  python('auto'),
  python('legacy'),
  curlModern,
  curlLegacy,
  rawStdio('modern'),
  rawStdio('legacy'),
];

export const peersOver = (kind: 'stdio' | 'http'): readonly Peer[] =>
  peers.filter(({ reaches }) => reaches.includes(kind));
