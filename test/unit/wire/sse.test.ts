import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSseDecoder, encodeSseEvent, SSE_KEEP_ALIVE, type SseEvent } from '../../../src/wire/index.ts';
import { verifies } from '../../requirements/wire.ts';

interface Read {
  readonly events: SseEvent[];
  readonly retries: number[];
  tooLarge: number;
}

function read(pieces: readonly Buffer[], maxEventBytes = 1_000_000): Read {
  const out: Read = { events: [], retries: [], tooLarge: 0 };
  const decoder = createSseDecoder({
    maxEventBytes,
    onEvent: (event) => out.events.push(event),
    onRetry: (ms) => out.retries.push(ms),
    onTooLarge: () => out.tooLarge++,
  });
  for (const piece of pieces) decoder.push(piece);
  return out;
}

const whole = (text: string): Buffer[] => [Buffer.from(text)];
const byteWise = (text: string): Buffer[] => [...Buffer.from(text)].map((byte) => Buffer.from([byte]));

const event = (data: string, more: Partial<SseEvent> = {}): SseEvent => ({
  event: undefined,
  id: undefined,
  data,
  ...more,
});

/** Streams and the events that the standard reads from them. */
const STREAMS: [what: string, text: string, events: SseEvent[]][] = [
  ['LF', 'data: a\n\ndata: b\n\n', [event('a'), event('b')]],
  ['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n', [event('a'), event('b')]],
  ['lone CR', 'data: a\r\rdata: b\r\r', [event('a'), event('b')]],
  ['mixed line ends', 'data: a\r\n\ndata: b\n\r\n', [event('a'), event('b')]],
  ['several data lines', 'data: a\ndata:\ndata:  b\n\n', [event('a\n\n b')]],
  ['comments and keep-alives', `: hello\n\n${SSE_KEEP_ALIVE}data: a\n: in between\n\n`, [event('a')]],
  ['a mark at the start', '\uFEFFdata: a\n\n', [event('a')]],
  ['no space after the colon', 'data:a\n\n', [event('a')]],
  [
    'names, ids and retries',
    'event: ping\nid: 7\nretry: 500\ndata: {}\n\n',
    [event('{}', { event: 'ping', id: '7' })],
  ],
  ['an id with empty data, which primes a stream', 'id: 1\ndata: \n\n', [event('', { id: '1' })]],
  ['an event without data', 'event: x\n\ndata: a\n\n', [event('a')]],
  ['unknown fields', 'foo: bar\nfoo\ndata: a\n\n', [event('a')]],
  ['wide characters', 'data: 😀 漢字 \u2028\n\n', [event('😀 漢字 \u2028')]],
  ['an event that no blank line ends', 'data: a\n\ndata: lost\n', [event('a')]],
];

describe('an event stream', () => {
  it(verifies('wire:sse:as-whatwg'), () => {
    for (const [what, text, events] of STREAMS) {
      expect(read(byteWise(text)).events, `${what}, byte by byte`).toEqual(events);
      expect(read(whole(text)).events, `${what}, at once`).toEqual(events);
    }
  });

  it('tells how long to wait before a reconnect', () => {
    expect(read(whole('retry: 250\n\nretry: soon\n\n')).retries).toEqual([250]);
  });

  it('reads the same whatever pieces it arrives in', () => {
    const text = STREAMS.map(([, part]) => (part.startsWith('\uFEFF') ? '' : part)).join('\n\n');
    const expected = read(whole(text));
    fc.assert(
      fc.property(fc.array(fc.nat(Buffer.byteLength(text))), (places) => {
        const bytes = Buffer.from(text);
        const cuts = [0, ...places.toSorted((a, b) => a - b), bytes.length];
        expect(read(cuts.slice(1).map((end, at) => bytes.subarray(cuts[at], end)))).toEqual(expected);
      }),
    );
  });

  it('reads back what was written, whatever the data', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (texts) => {
        const stream = texts
          .map((text, index) => encodeSseEvent(text, { id: String(index) }))
          .join(SSE_KEEP_ALIVE);
        const expected = texts.map((text) => Buffer.from(text).toString().replaceAll(/\r\n?/g, '\n'));
        expect(read(byteWise(stream)).events.map(({ data }) => data)).toEqual(expected);
      }),
      { numRuns: 50 },
    );
  });

  it('writes the time to wait with an event', () => {
    expect(encodeSseEvent('a', { id: '1', retryMs: 20 })).toBe('id: 1\nretry: 20\ndata: a\n\n');
  });

  it('ends once at an event above the limit, in one line or in many, and ignores what follows', () => {
    const line = Buffer.from(`data: ${'x'.repeat(200)}`);
    expect(read([line, line, Buffer.from('\n\ndata: a\n\n')], 100)).toMatchObject({
      events: [],
      tooLarge: 1,
    });
    const many = Array.from({ length: 20 }, () => Buffer.from('data: 1234567890\n: comment\n'));
    expect(read([...many, Buffer.from('\n')], 100)).toMatchObject({ events: [], tooLarge: 1 });
  });

  it('does not count small events or comments towards the limit', () => {
    const stream = Array.from({ length: 50 }, () => Buffer.from(`${SSE_KEEP_ALIVE}data: 123456789\n\n`));
    expect(read(stream, 100)).toMatchObject({ tooLarge: 0, events: { length: 50 } });
  });
});
