import { describe, expect, it } from 'vitest';
import { isBehind, plainEventStream } from '../../../src/downstream/event-stream.ts';
import { asResponse, FakeResponse } from './fake-response.ts';

const frame = (text: string): Buffer => Buffer.from(text);

describe('an event stream', () => {
  it('carries one message an event, and nothing but comments beside them', () => {
    const res = new FakeResponse();
    const stream = plainEventStream(asResponse(res));
    stream.notify(frame('{"a":1}'));
    stream.keepAlive();
    stream.send(frame('{"b":\n2}'));
    stream.rest();
    stream.end();
    expect(res.text).toBe('data: {"a":1}\n\n: keep-alive\n\ndata: {"b":\ndata: 2}\n\n');
    expect(res.writableEnded).toBe(true);
  });

  it('leaves out what a host far behind can do without, and never what it must have', () => {
    const res = new FakeResponse();
    const stream = plainEventStream(asResponse(res));
    res.writableLength = 4 * 1024 * 1024 + 1;
    expect(isBehind(res)).toBe(true);
    stream.notify(frame('1'));
    stream.keepAlive();
    stream.send(frame('2'));
    expect(res.text).toBe('data: 2\n\n');
    res.writableLength = 10;
    stream.notify(frame('3'));
    // A comment says nothing to a host that has not read what came before it.
    stream.keepAlive();
    expect(res.text).toBe('data: 2\n\ndata: 3\n\n');
  });
});
