import { describe, expect, it } from 'vitest';
import {
  createResumableStream,
  parseEventId,
  type ResumableStream,
} from '../../../src/downstream/resumable-stream.ts';
import { verifies } from '../../requirements/downstream.ts';
import { asResponse, FakeResponse } from './fake-response.ts';

function opened(isPrimed = true): { stream: ResumableStream; res: FakeResponse; settled: () => number } {
  let count = 0;
  const stream = createResumableStream({ streamId: 's1', isPrimed, onSettled: () => count++ });
  const res = new FakeResponse();
  stream.attach(asResponse(res));
  return { stream, res, settled: () => count };
}

/** The ids and data of the events in a text. */
const eventsIn = (text: string): (readonly [string, string])[] =>
  [...text.matchAll(/^id: (\S+)\n(?:retry: \d+\n)?data: ?(.*)\n\n/gm)].map(([, id = '', data = '']) => [
    id,
    data,
  ]);

const again = (stream: ResumableStream, after: number): FakeResponse => {
  const res = new FakeResponse();
  stream.resume(asResponse(res), after);
  return res;
};

describe('a stream that can be resumed', () => {
  it('opens with an id and no data, and numbers what follows', () => {
    const { stream, res } = opened();
    stream.send(Buffer.from('a'));
    stream.notify(Buffer.from('b'));
    expect(res.text).toBe('id: s1.0\nretry: 1000\ndata: \n\nid: s1.1\ndata: a\n\nid: s1.2\ndata: b\n\n');
  });

  it(verifies('downstream:resume:old-hosts'), () => {
    // Without a data line a reader remembers the id and dispatches nothing.
    expect(opened(false).res.text).toBe('id: s1.0\nretry: 1000\n\n');
  });

  it('gives a host that comes back what came after the event it names', () => {
    const { stream, res } = opened();
    for (const text of ['a', 'b', 'c']) stream.send(Buffer.from(text));
    res.close();
    stream.send(Buffer.from('d'));
    const second = again(stream, 1);
    expect(eventsIn(second.text)).toEqual([
      ['s1.2', 'b'],
      ['s1.3', 'c'],
      ['s1.4', 'd'],
    ]);
    stream.send(Buffer.from('e'));
    expect(eventsIn(second.text).at(-1)).toEqual(['s1.5', 'e']);
  });

  it('names the last event to a host that comes back without naming one', () => {
    const { stream } = opened();
    stream.send(Buffer.from('a'));
    const second = new FakeResponse();
    stream.attach(asResponse(second));
    expect(eventsIn(second.text)).toEqual([['s1.1', '']]);
  });

  it('ends the older connection when a host comes back', () => {
    const { stream, res } = opened();
    const second = again(stream, 0);
    expect([res.writableEnded, second.writableEnded]).toEqual([true, false]);
    res.close();
    stream.send(Buffer.from('still'));
    expect(second.text).toContain('still');
  });

  it('keeps its end for a host that comes back, and is settled once that has it', () => {
    const { stream, res, settled } = opened();
    res.close();
    stream.send(Buffer.from('answer'));
    stream.end();
    expect([stream.isEnded, settled()]).toEqual([true, 0]);
    const broken = again(stream, 0);
    expect(broken.writableEnded).toBe(true);
    broken.close();
    expect(settled()).toBe(0);
    const whole = again(stream, 0);
    expect(eventsIn(whole.text)).toEqual([['s1.1', 'answer']]);
    whole.finish();
    expect(settled()).toBe(1);
  });

  it('is settled at once when the host reads it to its end', () => {
    const { stream, res, settled } = opened();
    stream.send(Buffer.from('answer'));
    stream.end();
    res.finish();
    expect(settled()).toBe(1);
  });

  it('lets a host rest and go on when it is back', () => {
    const { stream, res } = opened();
    stream.rest();
    expect(res.writableEnded).toBe(true);
    stream.send(Buffer.from('later'));
    stream.keepAlive();
    expect(eventsIn(again(stream, 0).text)).toEqual([['s1.1', 'later']]);
  });

  it(verifies('downstream:resume:bounded'), () => {
    const { stream, res } = opened();
    res.close();
    for (let count = 1; count <= 1000; count++) stream.notify(Buffer.from(String(count)));
    const many = eventsIn(again(stream, 0).text);
    expect([many.length, many[0]?.[0], many.at(-1)?.[0]]).toEqual([256, 's1.745', 's1.1000']);
    const large = 'x'.repeat(400 * 1024);
    for (let count = 0; count < 10; count++) stream.notify(Buffer.from(large));
    expect(stream.keptBytes).toBeLessThanOrEqual(1024 * 1024);
    // The last is kept whatever its size: it may be the answer.
    stream.send(Buffer.alloc(3 * 1024 * 1024, 'y'));
    expect(eventsIn(again(stream, 0).text)).toHaveLength(1);
  });

  it('keeps for later what a host far behind is not sent', () => {
    const { stream, res } = opened();
    res.writableLength = 5 * 1024 * 1024;
    stream.notify(Buffer.from('a'));
    stream.send(Buffer.from('b'));
    expect(eventsIn(res.text)).toEqual([
      ['s1.0', ''],
      ['s1.2', 'b'],
    ]);
    expect(eventsIn(again(stream, 0).text).map(([, data]) => data)).toEqual(['a', 'b']);
  });
});

describe('an event id', () => {
  it('is read back', () => {
    expect(parseEventId('s12.34')).toEqual({ streamId: 's12', sequence: 34 });
  });

  it.each(['', 's1', 's1.', '.1', 's1.x', 's1.-1', 's1.1.1', 's1.12345678901', 's/1.1', 's1.1\n'])(
    'that is not ours is none: %j',
    (id) => {
      expect(parseEventId(id)).toBeUndefined();
    },
  );
});
