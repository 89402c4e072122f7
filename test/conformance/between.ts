import { asLocalhost, startGateway } from './gateway-process.ts';
import { startRelay } from './relay.ts';

/**
 * What stands between the suite and the fixture. The relays prove the harness itself: through the plain one
 * every run must come out as without it, and through the broken one the harness must report faults.
 */
export const BETWEEN_KINDS = ['gateway', 'relay', 'broken-relay'] as const;
export type BetweenKind = (typeof BETWEEN_KINDS)[number];

export interface Between {
  readonly url: string;
  /** What it wrote last, for a failed run's report. */
  readonly output: () => string;
  /** False when it did not end by itself, or not cleanly. */
  readonly stop: () => Promise<boolean>;
}

/** Faults that some check of each revision notices. Replacements keep the length of the text. */
const BREAKAGES = new Map([
  ['"cacheScope"', '"cacheScape"'],
  ['"isError":true', '"isErrar":true'],
]);

export async function startBetween(kind: BetweenKind, upstreamUrl: string): Promise<Between> {
  if (kind === 'gateway') {
    const gateway = await startGateway({ upstreamUrl, namespace: '' });
    return { url: asLocalhost(gateway.announced), output: gateway.output, stop: gateway.stop };
  }
  const relay = await startRelay(upstreamUrl, kind === 'broken-relay' ? breakBytes : undefined);
  return {
    url: relay.url,
    output: () => '',
    async stop() {
      await relay.stop();
      return true;
    },
  };
}

function breakBytes(chunk: Buffer): Buffer {
  let text = chunk.toString('latin1');
  for (const [sound, broken] of BREAKAGES) text = text.replaceAll(sound, broken);
  return Buffer.from(text, 'latin1');
}
