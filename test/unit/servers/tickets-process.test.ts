import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { openTracker } from '../../../servers/tickets/tracker.ts';
import { verifies } from '../../requirements/tickets.ts';
import { NOW, runHttp } from './tickets-peers.ts';

const source = pathToFileURL(join(import.meta.dirname, '../../../servers/tickets/main.ts')).href;
const script = `import { main } from ${JSON.stringify(source)}; await main({ argv: process.argv.slice(1) });`;

/** The server as a process of its own, straight from its source, so that no build is needed first. */
function start(...args: string[]): ChildProcess {
  const flags = ['--import', 'tsx', '--input-type=module', '--eval', script, '--'];
  return spawn(process.execPath, [...flags, ...args], { stdio: 'pipe' });
}

interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function finished(child: ChildProcess): Promise<Finished> {
  const streams = [child.stdout, child.stderr].map((stream) => (stream === null ? '' : text(stream)));
  const [exit, stdout = '', stderr = ''] = await Promise.all([once(child, 'close'), ...streams]);
  return { code: exit[0] as number | null, stdout, stderr };
}

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

function lines(...messages: object[]): string {
  return messages.map((message) => `${JSON.stringify(message)}\n`).join('');
}

it(`${verifies('tickets:process:end')}, and ${verifies('tickets:process:stdout')}`, async () => {
  const child = start('--now', NOW.toISOString());
  const result = finished(child);
  const call = { name: 'export', arguments: { status: 'closed', pause_ms: 5 } };
  child.stdin?.end(
    lines(
      initialize,
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 'b', method: 'tools/call', params: call },
      { jsonrpc: '2.0', id: 3, method: 'no/such/method' },
    ),
  );
  const { code, stdout, stderr } = await result;
  const messages = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(messages).toHaveLength(3);
  const answers = new Map(messages.map((message) => [message['id'], message]));
  expect(answers.get(1)).toMatchObject({ result: { serverInfo: { name: 'tickets' } } });
  expect(answers.get('b')).toMatchObject({ result: { structuredContent: { exported: 6 } } });
  expect(answers.get(3)).toMatchObject({ error: { code: -32601 } });
});

it.each([['stdio'], ['http', '--port', '0']])(
  `${verifies('tickets:process:end')} (SIGTERM, %s)`,
  async (...args) => {
    const child = start(...args);
    const result = finished(child);
    if (args[0] === 'stdio') {
      child.stdin?.write(lines(initialize));
      if (child.stdout !== null) await once(child.stdout, 'readable');
    } else if (child.stderr !== null) {
      await once(child.stderr, 'readable');
    }
    child.kill('SIGTERM');
    const { code, stderr } = await result;
    expect(code).toBe(0);
    expect(stderr).toMatch(args[0] === 'http' ? /^tickets: ready http:\/\/127\.0\.0\.1:\d+\/mcp\n$/ : /^$/);
  },
);

it('refuses a wrong command line with exit code 2 and says how it is used', async () => {
  const { code, stdout, stderr } = await finished(start('http', '--port', 'many'));
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('--port must be a number from 0 to 65535, not "many"');
  expect(stderr).toContain('Usage: tickets');
});

it('says what to run when it has not been compiled', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tickets-'));
  try {
    const launcher = join(folder, 'main.mjs');
    await copyFile(join(import.meta.dirname, '../../../servers/tickets/main.js'), launcher);
    const { code, stdout, stderr } = await finished(spawn(process.execPath, [launcher], { stdio: 'pipe' }));
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('npm run build');
  } finally {
    await rm(folder, { recursive: true });
  }
});

it(verifies('tickets:store:durable'), async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tickets-'));
  try {
    const options = { db: join(folder, 'tickets.db'), now: () => NOW };
    const before = openTracker(options);
    expect(before.store.list({}, 10).total).toBe(0);
    before.store.create({ title: '100% of what', body: "It's 'quoted'", team: 'web', priority: 'low' });
    before.store.comment('TK-101', 'ana', 'A_B');
    before.store.dispose();

    const { store } = openTracker(options);
    expect(store.get('TK-101')).toMatchObject({ title: '100% of what', comments: [{ body: 'A_B' }] });
    expect(store.search('100% a_b', {}, 10).total).toBe(1);
    expect(store.search('100_ a%b', {}, 10).total).toBe(0);
    store.dispose();
  } finally {
    await rm(folder, { recursive: true });
  }
});

it(verifies('tickets:http:local-only'), async () => {
  await using server = await runHttp();
  const statusFor = async (path: string, headers: Record<string, string>): Promise<number | undefined> => {
    const sent = request(new URL(path, server.url), { method: 'POST', headers });
    sent.end(JSON.stringify(initialize));
    const [response] = (await once(sent, 'response')) as [NodeJS.ReadableStream & { statusCode?: number }];
    response.resume();
    return response.statusCode;
  };
  const usual = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  expect(await statusFor('/mcp', usual)).toBe(200);
  expect(await statusFor('/mcp', { ...usual, host: 'evil.example.com' })).toBe(403);
  expect(await statusFor('/mcp', { ...usual, origin: 'https://evil.example.com' })).toBe(403);
  expect(await statusFor('/mcp', { ...usual, 'mcp-session-id': 'gone' })).toBe(404);
  expect(await statusFor('/other', usual)).toBe(404);
});
