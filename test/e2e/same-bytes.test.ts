import { describe, expect, it } from 'vitest';
import { askModern, connectLegacy } from '../helpers/hosts.ts';
import { verifies } from '../requirements/e2e.ts';
import { newMark, rawServer, start, workplace } from './processes.ts';

const LISTS = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'];

/** The lists of both eras as they are sent, in one text. */
async function listsOf(url: string): Promise<string> {
  const host = await connectLegacy(url);
  const texts: string[] = [];
  for (const method of LISTS) {
    const modern = await askModern(url, method);
    expect(modern.error).toBeUndefined();
    texts.push(JSON.stringify(modern.result), JSON.stringify((await host.ask(method)).result));
  }
  await host.end();
  return texts.join('\n');
}

/** Servers whose names order differently by locale, case and code unit, each as late as it likes. */
const servers = (delays: readonly number[]): Record<string, unknown> =>
  Object.fromEntries(
    ['İzmir'.normalize('NFKD').replaceAll(/[^A-Za-z]/g, ''), 'istanbul', 'Zebra', 'alpha', 'a_b', 'a-b'].map(
      (id, index) => [id, rawServer(id, '--delay', String(delays[index] ?? 0))],
    ),
  );

const LOCALES = [
  {},
  { LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
  { LANG: 'de_DE.UTF-8' },
  { LC_ALL: 'C' },
];
const DELAYS = [
  [0, 0, 0, 0, 0, 0],
  [300, 250, 200, 150, 100, 50],
  [50, 100, 150, 200, 250, 300],
  [120, 10, 300, 0, 220, 40],
];

describe('the lists', () => {
  it(verifies('e2e:lists:same-bytes'), async () => {
    const seen = new Set<string>();
    for (const [index, env] of LOCALES.entries()) {
      await using place = await workplace({
        exposure: { mode: 'direct' },
        servers: servers(DELAYS[index] ?? []),
      });
      await using gateway = start(['serve', '-c', place.file, '--port', '0'], { env });
      const url = await gateway.ready();
      for (let count = 0; count < 25; count++) seen.add(await listsOf(url));
      gateway.child.kill('SIGTERM');
      await gateway.exited;
    }
    expect(seen.size).toBe(1);
    expect([...seen][0]).toContain('Izmir__echo');
  });
});

describe('a start with many servers', () => {
  it(verifies('e2e:start:many-servers'), async () => {
    const mark = newMark();
    const many = Object.fromEntries(
      Array.from({ length: 20 }, (_none, index) => [`server${index}`, rawServer(mark, '--delay', '50')]),
    );
    await using place = await workplace({ exposure: { mode: 'direct' }, servers: many });
    const since = performance.now();
    await using gateway = start(['serve', '-c', place.file, '--port', '0']);
    const url = await gateway.ready();
    const readyMs = performance.now() - since;
    const list = await askModern(url, 'tools/list');
    const listedMs = performance.now() - since;
    console.log(
      `ready after ${readyMs.toFixed(0)} ms, first list of 20 servers after ${listedMs.toFixed(0)} ms`,
    );
    const names = (list.result?.['tools'] ?? []) as { name: string }[];
    expect(new Set(names.map(({ name }) => name.split('__', 1)[0])).size).toBe(20);
    expect(readyMs).toBeLessThan(3_000);
  });

  it(verifies('e2e:start:dead-servers'), async () => {
    const mark = newMark();
    await using place = await workplace({
      exposure: { mode: 'direct' },
      servers: {
        absent: { command: 'no-such-command-anywhere' },
        ending: { command: process.execPath, args: ['-e', 'process.exit(3)'] },
        silent: { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)', mark] },
        refused: { url: 'http://127.0.0.1:9/mcp' },
        raw: rawServer(mark),
      },
    });
    await using gateway = start(['serve', '-c', place.file, '--port', '0']);
    const url = await gateway.ready();
    const times: number[] = [];
    for (let count = 0; count < 3; count++) {
      const since = performance.now();
      const list = await askModern(url, 'tools/list');
      times.push(performance.now() - since);
      const names = ((list.result?.['tools'] ?? []) as { name: string }[]).map(({ name }) => name);
      expect(names.filter((name) => !name.startsWith('raw__'))).toEqual([]);
      expect(names).toContain('raw__echo');
      const meta = list.result?.['_meta'] as Record<string, { server: string }[]>;
      expect(meta['dev.tollgate/unavailable']?.map(({ server }) => server)).toEqual(
        expect.arrayContaining(['absent', 'ending', 'refused']),
      );
    }
    // A list waits for a silent server once and within bounds, well below the patience of any host.
    expect(times[0]).toBeLessThan(9_000);
    expect(times[1]).toBeLessThan(1_000);
    expect(times[2]).toBeLessThan(1_000);
  });
});
