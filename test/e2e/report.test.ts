import { describe, expect, it } from 'vitest';
import { capturingHost } from '../helpers/capturing-host.ts';
import { exchange } from '../helpers/raw-http.ts';
import { verifies } from '../requirements/accounting.ts';
import { newMark, processesWith, rawServer, run, start, workplace } from './processes.ts';

interface ReportText {
  readonly rows: readonly { readonly group: string | null; readonly requests: number }[];
}

describe('report', () => {
  it(verifies('accounting:report:beside-a-gateway'), async () => {
    const mark = newMark();
    await using place = await workplace({ servers: { raw: rawServer(mark) } });
    const report = (...args: string[]) => run(['report', '-c', place.file, ...args]);
    const none = await report();
    expect([none.code, none.stdout, none.stderr]).toEqual([0, 'No requests recorded.\n', '']);

    await using gateway = start(['serve', '--port', '0', '-c', place.file]);
    const { origin } = new URL(await gateway.ready());
    const host = capturingHost(origin);
    await host.ask('tools/list');
    await host.ask('tools/call', { name: 'raw__echo', arguments: {} });
    await host.ask('tools/call', { name: 'raw__none', arguments: {} });
    const page = await exchange(`${origin}/report.json?by=tool`, { method: 'GET' });
    const beside = await report('--by', 'tool', '--json');
    expect([beside.code, beside.stderr]).toEqual([0, '']);
    expect(JSON.parse(beside.stdout)).toEqual(JSON.parse(page.body));
    await host.ask('tools/call', { name: 'raw__echo', arguments: {} });

    gateway.child.kill('SIGTERM');
    expect(await gateway.exited).toEqual({ code: 0, signal: null });
    expect(await processesWith(mark)).toEqual([]);
    const after = await report('--by', 'tool', '--since', '1h', '--json');
    const groups = (JSON.parse(after.stdout) as ReportText).rows.map(({ group, requests }) => [
      group,
      requests,
    ]);
    expect(groups).toEqual([
      [null, 2],
      ['raw__echo', 2],
    ]);
    const text = await report();
    expect(text.stdout).toContain('Tokens are counted with o200k_base.');
    expect(text.stdout).toMatch(/^total +4 +1 /m);
  });

  it('says what is wrong with a question, or with the ledger', async () => {
    await using place = await workplace({ servers: {} });
    const failed = async (...args: string[]) => {
      const { code, stdout, stderr } = await run(['report', '-c', place.file, ...args]);
      return [code, stdout, stderr];
    };
    expect(await failed('--by', 'country')).toEqual([
      2,
      '',
      'tollgate: --by must be one of total, server, tool, client, principal, day\n',
    ]);
    expect(await failed('--since', 'yesterday')).toEqual([2, '', expect.stringContaining('--since must be')]);
    await using broken = await workplace({ servers: {}, stateDir: '/dev/null/state' });
    const unreadable = await run(['report', '-c', broken.file]);
    expect([unreadable.code, unreadable.stdout]).toEqual([1, '']);
    expect(unreadable.stderr).toContain('the ledger cannot be read');
  });

  it('counts nothing where the ledger is off, and a command of its own leaves no row', async () => {
    await using place = await workplace({
      servers: { raw: rawServer(newMark()) },
      accounting: { ledger: { enabled: false } },
    });
    await using gateway = start(['serve', '--port', '0', '-c', place.file]);
    const { origin } = new URL(await gateway.ready());
    await capturingHost(origin).ask('tools/list');
    gateway.child.kill('SIGTERM');
    await gateway.exited;
    expect((await run(['tools', '-c', place.file])).code).toBe(0);
    expect((await run(['report', '-c', place.file])).stdout).toBe('No requests recorded.\n');
  });
});
