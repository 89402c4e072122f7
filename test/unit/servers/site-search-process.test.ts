import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { serveOverHttp } from '../../../servers/site-search/http.ts';
import type { HttpService } from '../../../servers/site-search/http.ts';
import { createSiteServer } from '../../../servers/site-search/server.ts';
import { loadSite } from '../../../servers/site-search/site.ts';
import { verifies } from '../../requirements/site-search.ts';

const LAUNCHER = fileURLToPath(new URL('../../../servers/site-search/main.js', import.meta.url));
const CONTENT = fileURLToPath(new URL('../../../servers/site-search/content', import.meta.url));

function start(args: readonly string[]) {
  const child = spawn(process.execPath, [LAUNCHER, ...args], { stdio: 'pipe' });
  const exit = once(child, 'close').then(([code, signal]: unknown[]) => ({ code, signal }));
  return { child, stdout: text(child.stdout), exit };
}

const INITIALIZE = {
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const readChapter = (id: number) => ({
  id,
  method: 'resources/read',
  params: { uri: 'chapter://dsa/09-heaps' },
});

describe('the stdio process', () => {
  it(verifies('site-search:process:stdout'), async () => {
    const { child, stdout, exit } = start([]);
    child.stdin.write('this is no message\n');
    child.stdin.end(`${JSON.stringify({ jsonrpc: '2.0', ...INITIALIZE })}\n`);
    expect(await exit).toEqual({ code: 0, signal: null });
    const lines = (await stdout).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { jsonrpc: '2.0', id: 0, result: { protocolVersion: '2025-06-18' } },
    ]);
  });

  it(verifies('site-search:process:clean-end'), async () => {
    const { child, stdout, exit } = start(['stdio']);
    const requests = [INITIALIZE, ...Array.from({ length: 200 }, (_, at) => readChapter(at + 1))];
    child.stdin.end(requests.map((body) => `${JSON.stringify({ jsonrpc: '2.0', ...body })}\n`).join(''));
    expect(await exit).toEqual({ code: 0, signal: null });
    const ids = (await stdout)
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: number }).id);
    expect(ids.toSorted((a, b) => a - b)).toEqual(requests.map((body) => body.id));

    const waiting = start([]);
    waiting.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...INITIALIZE })}\n`);
    await once(waiting.child.stdout, 'data');
    waiting.child.kill('SIGTERM');
    expect(await waiting.exit).toEqual({ code: 0, signal: null });
  });

  it('says on stderr what is wrong with the command line or the folder', async () => {
    const wrong = start(['sse']);
    const missing = start(['--root', '/does/not/exist']);
    const [wrongText, missingText] = await Promise.all([
      text(wrong.child.stderr),
      text(missing.child.stderr),
    ]);
    expect(await wrong.exit).toEqual({ code: 2, signal: null });
    expect(wrongText).toMatch(/"sse" is not a transport[\s\S]*Usage:/);
    expect(await missing.exit).toEqual({ code: 1, signal: null });
    expect(missingText).toMatch(/\/does\/not\/exist cannot be read: it does not exist/);
  });
});

describe('the http process', () => {
  it('says when it is ready, and ends on SIGINT', async () => {
    const { child, stdout, exit } = start(['http', '--port', '0']);
    const [ready] = (await once(child.stderr, 'data')) as [Buffer];
    expect(ready.toString()).toMatch(/^site-search: ready http:\/\/127\.0\.0\.1:\d+\/mcp\n$/);
    child.kill('SIGINT');
    expect(await exit).toEqual({ code: 0, signal: null });
    expect(await stdout).toBe('');
  });

  it('fails with a sentence when the port is taken', async () => {
    const service = await listen();
    const { child, exit } = start(['http', '--port', new URL(service.url).port]);
    const message = await text(child.stderr);
    expect(await exit).toEqual({ code: 1, signal: null });
    expect(message).toMatch(/^site-search: listen EADDRINUSE[^\n]*\n$/);
    await service.close();
  });
});

async function listen(): Promise<HttpService> {
  const site = await loadSite(CONTENT);
  return serveOverHttp(() => createSiteServer(site), { host: '127.0.0.1', port: 0, onError: () => {} });
}

interface Answer {
  readonly status: number | undefined;
  readonly allow: string | undefined;
}

/** fetch does not let a caller set Host, so this goes one level lower. */
async function ask(url: string, method: string, headers: Record<string, string> = {}): Promise<Answer> {
  const outgoing = request(url, {
    method,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
  });
  outgoing.end(method === 'POST' ? JSON.stringify({ jsonrpc: '2.0', ...INITIALIZE }) : undefined);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return { status: response.statusCode, allow: response.headers.allow };
}

describe('the http endpoint', () => {
  it(verifies('site-search:http:rebinding'), async () => {
    const service = await listen();
    expect(await ask(service.url, 'POST')).toMatchObject({ status: 200 });
    expect(await ask(service.url, 'POST', { origin: 'http://localhost:3000' })).toMatchObject({
      status: 200,
    });
    expect(await ask(service.url, 'POST', { host: 'evil.example.com' })).toMatchObject({ status: 403 });
    expect(await ask(service.url, 'POST', { origin: 'http://evil.example.com' })).toMatchObject({
      status: 403,
    });
    await service.close();
  });

  it(verifies('site-search:http:no-stream'), async () => {
    const service = await listen();
    expect(await ask(service.url, 'GET')).toEqual({ status: 405, allow: 'POST' });
    expect(await ask(service.url, 'DELETE')).toEqual({ status: 405, allow: 'POST' });
    expect(await ask(service.url.replace('/mcp', '/other'), 'POST')).toMatchObject({ status: 404 });
    await service.close();
  });
});
