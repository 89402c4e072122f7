import { describe, expect, it } from 'vitest';
import { createSessionStreams, type SessionStreams } from '../../../src/downstream/session-streams.ts';
import { asResponse, FakeResponse } from './fake-response.ts';

const idOf = (res: FakeResponse): string => /^id: (\S+)$/m.exec(res.text)?.[1] ?? '';
const openOn = (
  streams: SessionStreams,
): { res: FakeResponse; stream: ReturnType<SessionStreams['open']> } => {
  const res = new FakeResponse();
  return { res, stream: streams.open(asResponse(res)) };
};
const resume = (streams: SessionStreams, id: string): FakeResponse | undefined => {
  const res = new FakeResponse();
  return streams.resume(asResponse(res), id) ? res : undefined;
};

describe('the streams of a session', () => {
  it('have ids of their own, and each is resumed by its own', () => {
    const streams = createSessionStreams(true);
    const [a, b] = [openOn(streams), openOn(streams)];
    expect(idOf(a.res)).not.toBe(idOf(b.res));
    a.stream.send(Buffer.from('of a'));
    expect(resume(streams, idOf(a.res))?.text).toContain('of a');
    expect(resume(streams, idOf(b.res))?.text).toBe('');
    for (const id of ['s99.0', 'get.0', 'nonsense']) expect(resume(streams, id)).toBeUndefined();
  });

  it('are forgotten once their host has everything', () => {
    const streams = createSessionStreams(true);
    const { res, stream } = openOn(streams);
    stream.send(Buffer.from('answer'));
    stream.end();
    res.finish();
    expect(resume(streams, idOf(res))).toBeUndefined();
  });

  it('wait for their host in a bounded number, the oldest going first and one at work never', () => {
    const streams = createSessionStreams(true);
    const working = openOn(streams);
    working.res.close();
    const ended = Array.from({ length: 100 }, () => {
      const opened = openOn(streams);
      opened.res.close();
      opened.stream.end();
      return opened;
    });
    expect(resume(streams, idOf(working.res))).toBeDefined();
    expect(resume(streams, idOf((ended[0] as (typeof ended)[0]).res))).toBeUndefined();
    expect(resume(streams, idOf((ended[99] as (typeof ended)[0]).res))).toBeDefined();
  });

  it('wait for their host in a bounded size', () => {
    const streams = createSessionStreams(true);
    const ended = Array.from({ length: 6 }, () => {
      const opened = openOn(streams);
      opened.res.close();
      opened.stream.send(Buffer.alloc(4 * 1024 * 1024, 'x'));
      opened.stream.end();
      return opened;
    });
    openOn(streams);
    const kept = ended.filter(({ res }) => resume(streams, idOf(res)) !== undefined);
    expect(kept.length).toBeLessThanOrEqual(4);
    expect(kept.length).toBeGreaterThan(0);
  });
});

describe('the stream that GET opens', () => {
  it('takes nothing before anybody listened', () => {
    const streams = createSessionStreams(true);
    expect([streams.tell(Buffer.from('a'), true), streams.isListening]).toEqual([false, false]);
    const res = new FakeResponse();
    streams.openGet(asResponse(res));
    expect([streams.tell(Buffer.from('b'), false), streams.isListening]).toEqual([true, true]);
    expect(res.text).not.toContain('data: a');
    expect(res.text).toContain('data: b');
  });

  it('ends the older connection when another is opened, and outlives the end of that', () => {
    const streams = createSessionStreams(true);
    const [first, second] = [new FakeResponse(), new FakeResponse()];
    streams.openGet(asResponse(first));
    streams.openGet(asResponse(second));
    expect([first.writableEnded, second.writableEnded]).toEqual([true, false]);
    first.close();
    expect(streams.tell(Buffer.from('a'), false)).toBe(true);
    expect(second.text).toContain('data: a');
  });

  it('keeps what was said while nobody listened for the host that comes back', () => {
    const streams = createSessionStreams(true);
    const first = new FakeResponse();
    streams.openGet(asResponse(first));
    first.close();
    expect([streams.tell(Buffer.from('missed'), false), streams.isListening]).toEqual([false, false]);
    const back = resume(streams, 'get.0');
    expect(back?.text).toContain('data: missed');
    expect(streams.isListening).toBe(true);
    back?.close();
    expect(streams.isListening).toBe(false);
  });

  it('shows signs of life, and ends with its session', () => {
    const streams = createSessionStreams(true);
    const res = new FakeResponse();
    streams.openGet(asResponse(res));
    streams.keepAlive();
    expect(res.text).toContain(': keep-alive');
    streams.close();
    expect([res.writableEnded, streams.isListening]).toEqual([true, false]);
  });
});
