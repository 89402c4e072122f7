import { describe, expect, it } from 'vitest';
import { modernBody, openModern } from '../helpers/hosts.ts';
import { exchange } from '../helpers/raw-http.ts';
import { verifies } from '../requirements/e2e.ts';
import { newMark, processesWith, rawServer, run, start, wrappedServer, workplace } from './processes.ts';

const STOP_MS = 5_000;

/** One server of each kind that is hard to end. */
const hardServers = (mark: string): Record<string, unknown> => ({
  plain: rawServer(mark),
  deaf: rawServer(mark, '--ignore-term'),
  stubborn: rawServer(mark, '--ignore-term', '--ignore-end'),
  wrapped: wrappedServer(mark),
});
const SERVERS = 4;

const allRun = async (mark: string): Promise<void> =>
  // The wrapper's shell counts, too.
  expect.poll(async () => (await processesWith(mark)).length, { timeout: 20_000 }).toBe(SERVERS + 1);

describe('a gateway that is told to stop', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(`${verifies('e2e:stop:signals')}: %s`, async (signal) => {
    const mark = newMark();
    await using place = await workplace({ servers: hardServers(mark) });
    await using gateway = start(['serve', '-c', place.file, '--port', '0']);
    await gateway.ready();
    await allRun(mark);
    const since = performance.now();
    gateway.child.kill(signal);
    expect(await gateway.exited).toEqual({ code: 0, signal: null });
    expect(performance.now() - since).toBeLessThan(STOP_MS);
    expect(await processesWith(mark)).toEqual([]);
    expect(gateway.stderr()).not.toContain('cut short');
  });

  it(verifies('e2e:stop:stdin-end'), async () => {
    const mark = newMark();
    await using place = await workplace({ servers: hardServers(mark) });
    await using gateway = start(['stdio', '-c', place.file]);
    await allRun(mark);
    const since = performance.now();
    gateway.child.stdin?.end();
    expect(await gateway.exited).toEqual({ code: 0, signal: null });
    expect(performance.now() - since).toBeLessThan(STOP_MS);
    expect(await processesWith(mark)).toEqual([]);
  });

  it(verifies('e2e:stop:answers-finish'), async () => {
    await using place = await workplace({ servers: { raw: rawServer(newMark()) } });
    await using gateway = start(['serve', '-c', place.file, '--port', '0']);
    const url = await gateway.ready();
    const call = (ms: number) =>
      openModern(url, 'tools/call', { name: 'raw__slow', arguments: { ms, payload: `after ${ms}` } });
    await (
      await call(0)
    ).ended;
    const [short, long] = [call(300), call(60_000)];
    await new Promise((resolve) => setTimeout(resolve, 100));
    gateway.child.kill('SIGTERM');
    const [first, second] = [await short, await long];
    await Promise.all([first.ended, second.ended]);
    expect(first.text()).toContain('after 300');
    // One that cannot finish in time is told so, under its own id.
    expect(second.messages.at(-1)).toMatchObject({ id: 1, error: { code: -32603, data: { server: 'raw' } } });
    expect(await gateway.exited).toEqual({ code: 0, signal: null });
  });

  it(verifies('e2e:stop:piped-requests'), async () => {
    await using place = await workplace({ servers: { raw: rawServer(newMark()) } });
    await using gateway = start(['stdio', '-c', place.file]);
    // As `printf … | tollgate stdio` does: the input ends behind the last request.
    gateway.child.stdin?.end(
      `${modernBody('tools/call', { name: 'raw__slow', arguments: { ms: 0, payload: 'in time' } }, 'a')}\n`,
    );
    expect((await gateway.exited).code).toBe(0);
    expect(gateway.stdout()).toContain('in time');
  });

  it(verifies('e2e:stop:unread-output'), async () => {
    const mark = newMark();
    await using place = await workplace({ servers: { raw: rawServer(mark) } });
    await using gateway = start(['stdio', '-c', place.file], { isRead: false });
    const bytes = 8 * 1024 * 1024;
    gateway.child.stdin?.write(
      `${modernBody('tools/call', { name: 'raw__big', arguments: { bytes } }, 'a')}\n`,
    );
    await expect.poll(() => gateway.stderr(), { timeout: 20_000 }).toContain('tools/call');
    const since = performance.now();
    gateway.child.kill('SIGTERM');
    await gateway.exited;
    expect(performance.now() - since).toBeLessThan(STOP_MS);
    expect(await processesWith(mark)).toEqual([]);
  });

  it(verifies('e2e:stop:output-closed'), async () => {
    const mark = newMark();
    await using place = await workplace({ servers: { raw: rawServer(mark) } });
    await using gateway = start(['stdio', '-c', place.file]);
    gateway.child.stdout?.destroy();
    await expect.poll(async () => (await processesWith(mark)).length, { timeout: 20_000 }).toBe(1);
    gateway.child.stdin?.write(`${modernBody('tools/list', {}, 1)}\n`);
    expect((await gateway.exited).signal).toBeNull();
    expect(gateway.stderr()).not.toMatch(/EPIPE|unhandled|at .*\.js:\d/i);
    expect(await processesWith(mark)).toEqual([]);
  });

  it(verifies('e2e:stop:killed'), async () => {
    const mark = newMark();
    await using place = await workplace({
      servers: {
        plain: rawServer(mark),
        deaf: rawServer(mark, '--ignore-term'),
        wrapped: wrappedServer(mark),
      },
    });
    await using gateway = start(['serve', '-c', place.file, '--port', '0']);
    await gateway.ready();
    await expect.poll(async () => (await processesWith(mark)).length, { timeout: 20_000 }).toBe(4);
    gateway.child.kill('SIGKILL');
    await gateway.exited;
    // Nobody is left to end them; they end with their input, as the protocol asks of servers.
    await expect.poll(() => processesWith(mark), { timeout: 5_000 }).toEqual([]);
  });

  it(verifies('e2e:stop:twice'), async () => {
    const mark = newMark();
    await using place = await workplace({
      servers: { stubborn: rawServer(mark, '--ignore-term', '--ignore-end') },
    });
    await using gateway = start(['serve', '-c', place.file, '--port', '0']);
    await gateway.ready();
    await expect.poll(async () => (await processesWith(mark)).length, { timeout: 20_000 }).toBe(1);
    gateway.child.kill('SIGTERM');
    await new Promise((resolve) => setTimeout(resolve, 300));
    const since = performance.now();
    gateway.child.kill('SIGTERM');
    expect((await gateway.exited).code).toBe(1);
    expect(performance.now() - since).toBeLessThan(1_000);
    // Even then no server is left behind.
    await expect.poll(() => processesWith(mark), { timeout: 2_000 }).toEqual([]);
  });

  it(verifies('e2e:stop:one-shot'), async () => {
    const mark = newMark();
    await using place = await workplace({ servers: { raw: rawServer(mark, '--ignore-end') } });
    const call = JSON.stringify({ ms: 60_000 });
    await using command = start(['call', 'raw__slow', call, '-c', place.file]);
    await expect.poll(async () => (await processesWith(mark)).length, { timeout: 20_000 }).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 500));
    command.child.kill('SIGINT');
    expect((await command.exited).code).toBe(1);
    expect(await processesWith(mark)).toEqual([]);
    // One that is left alone ends by itself, with all that it started.
    const done = await run(['call', 'raw__slow', '{"ms":0}', '-c', place.file]);
    expect([done.code, done.stdout]).toEqual([0, 'done\n']);
    expect(await processesWith(mark)).toEqual([]);
  });

  it(verifies('e2e:stop:no-new-requests'), async () => {
    const mark = newMark();
    await using place = await workplace({
      servers: { stubborn: rawServer(mark, '--ignore-term', '--ignore-end') },
    });
    await using gateway = start(['serve', '-c', place.file, '--port', '0']);
    const url = await gateway.ready();
    await expect.poll(async () => (await processesWith(mark)).length, { timeout: 20_000 }).toBe(1);
    gateway.child.kill('SIGTERM');
    await expect
      .poll(
        () =>
          exchange(url, { method: 'OPTIONS' }).then(
            () => 'taken',
            () => 'refused',
          ),
        { interval: 20 },
      )
      .toBe('refused');
    expect((await gateway.exited).code).toBe(0);
  });
});
