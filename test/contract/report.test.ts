import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { capturingHost, reportRows } from '../helpers/capturing-host.ts';
import { rawServer, startGateway } from '../helpers/gateway.ts';
import { exchange } from '../helpers/raw-http.ts';

async function stateFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-report-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const threads = (): number =>
  process.getActiveResourcesInfo().filter((kind) => kind === 'MessagePort').length;

describe('the report over a gateway that served', () => {
  it('keeps no word of arguments and results in the state folder, and leaves no thread behind', async () => {
    const stateDir = await stateFolder();
    const before = threads();
    const started = await startGateway(
      { raw: rawServer() },
      {
        stateDir,
        accounting: { countResults: true },
        profiles: { narrow: { exposure: { mode: 'search' } } },
      },
    );
    await started.gateway.settled();
    const host = capturingHost(started.origin);
    const planted = [
      'PLANTED-ARGUMENT',
      'PLANTED-RESULT',
      'PLANTED-NAME',
      'PLANTED-URI',
      'PLANTED-METHOD',
      'PLANTED-QUERY',
    ];
    const json = JSON.stringify({ content: [{ type: 'text', text: 'PLANTED-RESULT' }] });
    await host.ask('tools/call', { name: 'raw__exact', arguments: { json, note: 'PLANTED-ARGUMENT' } });
    await host.ask('tools/call', { name: 'raw__PLANTED-NAME', arguments: {} });
    await host.ask('resources/read', { uri: 'raw://raw/item/PLANTED-URI' });
    await host.ask('PLANTED-METHOD/x');
    await host.ask('tools/call', { name: 'search_tools', arguments: { query: 'PLANTED-QUERY' } }, '/narrow');
    const called = { name: 'raw__exact', arguments: { json, note: 'PLANTED-ARGUMENT' } };
    await host.ask('tools/call', { name: 'call_tool', arguments: called }, '/narrow');
    const [total] = await reportRows(started.origin);
    expect(total).toMatchObject({ requests: 6, errors: 2, resultsCounted: 2 });
    await started[Symbol.asyncDispose]();
    expect(threads()).toBe(before);
    const files = (await readdir(stateDir)).map((name) => join(stateDir, name));
    const texts = await Promise.all(files.map((file) => readFile(file, 'latin1')));
    expect(texts.some((text) => text.includes('raw__exact'))).toBe(true);
    expect(planted.filter((word) => texts.some((text) => text.includes(word)))).toEqual([]);
  });

  it('is kept from whoever may not reach the endpoint, and says what is wrong with a question', async () => {
    await using started = await startGateway({ raw: rawServer() });
    const status = async (path: string, headers: Record<string, string> = {}): Promise<number> =>
      (await exchange(`${started.origin}${path}`, { method: 'GET', headers })).status;
    expect(await status('/report.json', { host: 'evil.example' })).toBe(403);
    expect(await status('/report.json', { origin: 'https://evil.example' })).toBe(403);
    expect(await status('/report.json?by=country')).toBe(400);
    expect(await status('/report.json?since=1h&by=day')).toBe(200);
  });
});
