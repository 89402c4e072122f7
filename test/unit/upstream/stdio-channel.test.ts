import { describe, expect, it } from 'vitest';
import { verifies } from '../../requirements/upstream.ts';
import { answer, bench, failure, frameText, place, result, stdio } from './harness.ts';

/** Ids that look alike or that few programs expect, as JSON text. */
const IDS = [
  '1',
  '"1"',
  '"01"',
  '0',
  '"0"',
  '1.5',
  '9007199254740991',
  '"ä\\u0031"',
  JSON.stringify('x'.repeat(3_000)),
];

describe.concurrent('calls over one process', () => {
  it(verifies('upstream:ids:one-space-a-hop'), async () => {
    await using server = bench(stdio('echo'), { maxConcurrency: 100 });
    const connection = await server.upstream.connect();
    const ids = [...IDS, ...Array.from({ length: 50 }, () => '1')];
    const texts = await Promise.all(
      ids.map((id, index) =>
        answer(connection, {
          id,
          params: `{"name":"t","arguments":{"delayMs":${(index * 7) % 40},"who":${index}}}`,
        }),
      ),
    );
    for (const [index, text] of texts.entries()) {
      expect(text).toContain(`"id":${ids[index]},`);
      expect(JSON.parse(text)).toMatchObject({
        result: { line: expect.stringContaining(`"who":${index}}`) as string },
      });
    }
    const onTheWire = texts.map((text) => {
      const { line } = (JSON.parse(text) as { result: { line: string } }).result;
      return (JSON.parse(line) as { id: unknown }).id;
    });
    expect(new Set(onTheWire).size).toBe(ids.length);
  });

  it(verifies('upstream:arguments:untouched'), async () => {
    await using server = bench(stdio('echo'));
    const connection = await server.upstream.connect();
    const all = [
      '{"name":"t"}',
      '{"name":"t","arguments":{}}',
      '{"name":"t","arguments":null}',
      '{"name":"t","arguments":{"a":null}}',
      '{"name":"t","arguments":{"a":{"b":{}},"c":[]}}',
      '{ "name" : "t" , "arguments" : {"big":12345678901234567890, "float":1.0, "exp":1e3, "esc":"\\u00e9\\/"}}',
      '{"name":"t","arguments":{"z":1,"a":2},"unknown":{"x":[true]},"_meta":{"vendor/x":null}}',
    ];
    for (const params of all) {
      const text = await answer(connection, { id: '"mine"', params });
      const { line } = (JSON.parse(text) as { result: { line: string } }).result;
      const { id } = JSON.parse(line) as { id: number };
      expect(line).toBe(frameText('tools/call', String(id), params));
    }
  });

  it('carry a pretty-printed request on one line', async () => {
    await using server = bench(stdio('echo'));
    const connection = await server.upstream.connect();
    const { line } = (
      JSON.parse(
        await answer(connection, { params: '{\r\n  "name": "t",\n  "arguments": {"a": "x\\ny"}\n}' }),
      ) as {
        result: { line: string };
      }
    ).result;
    expect(JSON.parse(line)).toMatchObject({ params: { name: 't', arguments: { a: 'x\ny' } } });
  });

  it(verifies('upstream:progress:tokens'), async () => {
    await using server = bench(stdio('echo'));
    const connection = await server.upstream.connect();
    const params = (token: string, progress: number): string =>
      `{"name":"t","arguments":{"progress":${progress},"delayMs":30},"_meta":{"a":1,"progressToken":${token}}}`;
    const calls = [
      place(connection, { params: params('"same"', 1) }),
      place(connection, { params: params('"same"', 2) }),
      place(connection, { params: params('7', 3) }),
    ];
    await Promise.all(calls.map(({ done }) => done));
    expect(calls.map(({ messages }) => messages.length)).toEqual([1, 2, 3]);
    expect(calls[1]?.messages[1]).toBe(
      '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":2,"total":2,"progressToken":"same"}}',
    );
    expect(calls[2]?.messages[0]).toContain('"progressToken":7}');
    // A caller that asked for none hears of none.
    const silent = place(connection, { params: '{"name":"t","arguments":{"progress":2}}' });
    await silent.done;
    expect(silent.messages).toEqual([]);
  });

  it(verifies('upstream:stdio:framing'), async () => {
    await using server = bench(stdio('bytewise'));
    const connection = await server.upstream.connect();
    const answers = await Promise.all([result(connection), result(connection)]);
    expect(answers).toEqual([{ text: '😀 漢字 é \u2028\u2029' }, { text: '😀 漢字 é \u2028\u2029' }]);
    expect(await result(connection, { atOnce: true })).toEqual({ text: 'together' });
    expect(server.heard.filter(({ what }) => what === 'notification')).toHaveLength(3);
  });

  it(verifies('upstream:stdio:junk'), async () => {
    await using server = bench(stdio('junk'), {}, { messageBytes: 100_000 });
    const connection = await server.upstream.connect();
    expect(await result(connection)).toEqual({ fine: true });
    expect(await result(connection, { endlessBytes: 1_000_000 })).toEqual({ fine: true });
    expect(connection.isOpen).toBe(true);
    expect(server.logs.filter((line) => line.startsWith('skipped'))).toHaveLength(1);
  });

  it(verifies('upstream:stdio:junk-glued'), async () => {
    await using server = bench(stdio('junk'));
    const connection = await server.upstream.connect();
    const glued = place(connection, { params: '{"name":"t","arguments":{"glue":true}}', idleMs: 300 });
    const other = result(connection);
    expect(await failure(glued)).toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    expect(await other).toEqual({ fine: true });
    expect(await result(connection)).toEqual({ fine: true });
  });

  it(verifies('upstream:calls:cancelled'), async () => {
    await using server = bench(stdio('echo'));
    const connection = await server.upstream.connect();
    const params = '{"name":"t","arguments":{"never":true,"progress":1},"_meta":{"progressToken":1}}';
    const call = place(connection, { params });
    await new Promise<void>((resolve) => {
      const check = (): void => (call.messages.length > 0 ? resolve() : void setTimeout(check, 5));
      check();
    });
    call.handle.cancel('the user said stop');
    call.handle.cancel('twice');
    const { cancelled } = (
      JSON.parse(await answer(connection, { method: 'cancelled', params: '{}' })) as {
        result: { cancelled: unknown[] };
      }
    ).result;
    // 1 and 2 were the probe and the handshake.
    expect(cancelled).toEqual([{ requestId: 3, reason: 'the user said stop' }]);
    expect(call.messages).toHaveLength(1);
  });

  it(verifies('upstream:calls:deadlines'), async () => {
    await using server = bench(stdio('echo'));
    const connection = await server.upstream.connect();
    const never = '{"name":"t","arguments":{"never":true}}';
    const idle = place(connection, { params: never, idleMs: 150 });
    const ceiling = place(connection, { params: never, maxMs: 250 });
    expect(await failure(idle)).toMatchObject({
      code: 'UPSTREAM_TIMEOUT',
      message: 'server "faulty" gave no sign of life for 150 ms (tools/call)',
      data: { server: 'faulty', timeoutMs: 150 },
    });
    expect(await failure(ceiling)).toMatchObject({
      message: expect.stringContaining('within 250 ms') as string,
    });
    const { cancelled } = (
      JSON.parse(await answer(connection, { method: 'cancelled', params: '{}' })) as {
        result: { cancelled: unknown[] };
      }
    ).result;
    expect(cancelled).toEqual([
      { requestId: 3, reason: 'timeout' },
      { requestId: 4, reason: 'timeout' },
    ]);
  });

  it('take log messages of the one call in flight, and of none when there are more', async () => {
    await using server = bench(stdio('echo'));
    const connection = await server.upstream.connect();
    const log = '{"name":"t","arguments":{"log":"hello","delayMs":50}}';
    const alone = place(connection, { params: log });
    await alone.done;
    expect(alone.messages).toHaveLength(1);
    const two = [place(connection, { params: log }), place(connection, { params: log })];
    await Promise.all(two.map(({ done }) => done));
    expect(two.flatMap(({ messages }) => messages)).toEqual([]);
    expect(server.heard.filter(({ what }) => what === 'notification')).toHaveLength(2);
  });

  it('hand on large answers whole', async () => {
    await using server = bench(stdio('echo'));
    const connection = await server.upstream.connect();
    expect(await result(connection, { padBytes: 1_500_000 })).toMatchObject({ pad: 'x'.repeat(1_500_000) });
  });
});
