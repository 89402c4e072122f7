import { PassThrough, Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createHostPipe } from '../../../src/downstream/host-pipe.ts';
import { verifies } from '../../requirements/downstream.ts';

/** An output that takes nothing until it is let. */
class HeldOutput extends Writable {
  readonly taken: string[] = [];
  #release: (() => void) | undefined;
  isHeld = true;

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.taken.push(chunk.toString());
    if (this.isHeld) this.#release = done;
    else done();
  }

  release(): void {
    this.isHeld = false;
    this.#release?.();
  }
}

function opened(output: Writable) {
  const input = new PassThrough();
  const lines: string[] = [];
  let closed = 0;
  const pipe = createHostPipe({
    input,
    output,
    maxLineBytes: 1000,
    onLine: (line) => lines.push(line.toString()),
    onTooLong: (bytes) => lines.push(`too long: ${bytes}`),
    onClosed: () => closed++,
  });
  return { input, pipe, lines, closed: () => closed };
}

const tick = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

describe('the pipes of a host', () => {
  it('carry one message a line, however it was written', async () => {
    const output = new HeldOutput();
    output.release();
    const { pipe } = opened(output);
    pipe.send('{"a":1}');
    pipe.send(Buffer.from('{\r\n "b":\n\n2}'));
    pipe.notify(Buffer.from('{"c":3}'));
    await tick();
    expect(output.taken.join('')).toBe('{"a":1}\n{  "b": 2}\n{"c":3}\n');
  });

  it(verifies('downstream:stdio:slow-host'), async () => {
    const output = new HeldOutput();
    const { pipe, input, lines } = opened(output);
    pipe.send(Buffer.alloc(100_000, 'x'));
    input.write('first\n');
    await tick();
    expect([input.isPaused(), lines]).toEqual([true, []]);
    output.release();
    await tick();
    expect([input.isPaused(), lines]).toEqual([false, ['first']]);
  });

  it('leave out what a host far behind can do without', async () => {
    const output = new HeldOutput();
    const { pipe } = opened(output);
    pipe.send(Buffer.alloc(5 * 1024 * 1024, 'x'));
    pipe.notify(Buffer.from('progress'));
    pipe.send('answer');
    output.release();
    await tick();
    const text = output.taken.join('');
    expect([text.includes('progress'), text.endsWith('\nanswer\n')]).toEqual([false, true]);
  });

  it('tell once that the host is gone, and take nothing more for it', async () => {
    const output = new HeldOutput();
    output.release();
    const { pipe, input, closed } = opened(output);
    input.end();
    await tick();
    expect([closed(), pipe.send('still')]).toEqual([1, true]);
    output.destroy(new Error('write EPIPE'));
    await tick();
    expect([closed(), pipe.send('late')]).toEqual([1, false]);
  });

  it('are left alone once they are closed', async () => {
    const output = new HeldOutput();
    const { pipe, input, lines } = opened(output);
    pipe.close();
    input.write('late\n');
    output.release();
    await tick();
    expect(lines).toEqual([]);
  });
});
