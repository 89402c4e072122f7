import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rawServer, startGateway, type StartedGateway } from '../helpers/gateway.ts';
import { askModern, modernBody, modernHeaders, receivedLines, sendModern } from '../helpers/hosts.ts';
import { exchange, type Message, type RawAnswer } from '../helpers/raw-http.ts';
import { verifies } from '../requirements/downstream.ts';

let started: StartedGateway;
beforeAll(async () => {
  started = await startGateway({ raw: rawServer() });
  await started.gateway.settled();
});
afterAll(() => started[Symbol.asyncDispose]());

const post = (headers: Record<string, string>, body: string): Promise<RawAnswer> =>
  exchange(started.url, { headers, body });
const errorOf = (answer: RawAnswer): Message['error'] => (JSON.parse(answer.body) as Message).error;

const CALL = { name: 'raw__echo', arguments: {} };

describe('the stateless revision over HTTP', () => {
  it(verifies('downstream:modern:unsupported-version'), async () => {
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
    const headers = { ...modernHeaders('tools/list'), 'mcp-protocol-version': '2099-01-01' };
    const answer = await post(headers, modernBody('tools/list', {}, 7, meta));
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({
      jsonrpc: '2.0',
      id: 7,
      error: { code: -32022, data: { supported: ['2026-07-28'], requested: '2099-01-01' } },
    });
  });

  it(verifies('downstream:modern:header-mismatch'), async () => {
    const cases: [string, Record<string, string | undefined>][] = [
      ['version', { 'mcp-protocol-version': '2025-11-25' }],
      ['unknown version', { 'mcp-protocol-version': '2099-01-01' }],
      ['no version', { 'mcp-protocol-version': undefined }],
      ['method', { 'mcp-method': 'tools/list' }],
      ['case of the method', { 'mcp-method': 'Tools/Call' }],
      ['no method', { 'mcp-method': undefined }],
      ['name', { 'mcp-name': 'raw__fails' }],
      ['case of the name', { 'mcp-name': 'raw__Echo' }],
      ['no name', { 'mcp-name': undefined }],
      ['loose base64', { 'mcp-name': '=?base64?cmF3X19lY2hv\n?='.replace('\n', ' ') }],
      ['unpadded base64', { 'mcp-name': '=?base64?cmF3X19lY2hvbw?=' }],
      ['upper-case marker', { 'mcp-name': '=?BASE64?cmF3X19lY2hv?=' }],
    ];
    for (const [what, change] of cases) {
      const headers: Record<string, string> = {};
      for (const [name, value] of Object.entries({ ...modernHeaders('tools/call', CALL), ...change }))
        if (value !== undefined) headers[name] = value;
      const answer = await post(headers, modernBody('tools/call', CALL, 3));
      expect([what, answer.status, errorOf(answer)?.code]).toEqual([what, 400, -32020]);
      expect((JSON.parse(answer.body) as Message).id).toBe(3);
    }
  });

  it(verifies('downstream:modern:encoded-name'), async () => {
    const encoded = `=?base64?${Buffer.from('raw__echo').toString('base64')}?=`;
    const headers = { ...modernHeaders('tools/call', CALL), 'mcp-name': encoded };
    const answer = await post(headers, modernBody('tools/call', CALL));
    expect(answer.status).toBe(200);
    const spaced = { ...modernHeaders('tools/call', CALL), 'mcp-name': '  raw__echo\t' };
    expect((await post(spaced, modernBody('tools/call', CALL))).status).toBe(200);
  });

  it(verifies('downstream:modern:repeated-header'), async () => {
    const headers = { ...modernHeaders('tools/call', CALL), 'mcp-name': ['raw__echo', 'raw__echo'] };
    const answer = await exchange(started.url, { headers, body: modernBody('tools/call', CALL) });
    expect([answer.status, errorOf(answer)?.code]).toEqual([400, -32020]);
    // One tool of this name would hide behind two headers that look like it once they are joined.
    const joined = { name: 'a, b', arguments: {} };
    const split = { ...modernHeaders('tools/call', joined), 'mcp-name': ['a', 'b'] };
    const refused = await exchange(started.url, { headers: split, body: modernBody('tools/call', joined) });
    expect([refused.status, errorOf(refused)?.code]).toEqual([400, -32020]);
  });

  it(verifies('downstream:modern:envelope-required'), async () => {
    const headers = modernHeaders('tools/list');
    const bare = JSON.stringify({ jsonrpc: '2.0', id: 'a', method: 'tools/list' });
    const answer = await post(headers, bare);
    expect([answer.status, errorOf(answer)?.code, (JSON.parse(answer.body) as Message).id]).toEqual([
      400,
      -32602,
      'a',
    ]);
    const meta = { 'io.modelcontextprotocol/clientCapabilities': null };
    const incomplete = await post(headers, modernBody('tools/list', {}, 1, meta));
    expect([incomplete.status, errorOf(incomplete)?.code]).toEqual([400, -32602]);
  });

  it(verifies('downstream:modern:no-handshake'), async () => {
    const answer = await post(modernHeaders('initialize'), modernBody('initialize'));
    expect([answer.status, errorOf(answer)?.code]).toEqual([404, -32601]);
    const unknown = await post(modernHeaders('no/such'), modernBody('no/such'));
    expect([unknown.status, errorOf(unknown)?.code]).toEqual([404, -32601]);
    const ping = await post(modernHeaders('ping'), modernBody('ping'));
    expect([ping.status, errorOf(ping)?.code]).toEqual([404, -32601]);
  });

  it(verifies('downstream:modern:no-sessions'), async () => {
    const headers = {
      ...modernHeaders('tools/list'),
      'mcp-session-id': 'of-another-time',
      'last-event-id': '7',
    };
    const answer = await post(headers, modernBody('tools/list'));
    expect(answer.status).toBe(200);
    expect(answer.headers['mcp-session-id']).toBeUndefined();
    for (const method of ['GET', 'DELETE']) {
      const refused = await exchange(started.url, {
        method,
        headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-session-id': 'of-another-time' },
      });
      expect([refused.status, refused.headers.allow, refused.body]).toEqual([405, 'POST, OPTIONS', '']);
    }
  });

  it(verifies('downstream:modern:notification'), async () => {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 1 },
    });
    const answer = await post({ 'mcp-protocol-version': '2026-07-28' }, body);
    expect([answer.status, answer.body]).toEqual([202, '']);
    const wrong = await post({ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'other' }, body);
    expect([wrong.status, errorOf(wrong)?.code]).toEqual([400, -32020]);
  });

  it(verifies('downstream:modern:no-batch'), async () => {
    const answer = await post(modernHeaders('tools/list'), `[${modernBody('tools/list')}]`);
    expect([answer.status, errorOf(answer)?.code]).toEqual([400, -32600]);
    const response = JSON.stringify({ jsonrpc: '2.0', id: 1, result: {} });
    const posted = await post({ 'mcp-protocol-version': '2026-07-28' }, response);
    expect([posted.status, errorOf(posted)?.code]).toEqual([400, -32600]);
  });

  it(verifies('downstream:modern:result-stamps'), async () => {
    const answer = await askModern(started.url, 'tools/call', CALL);
    expect(answer.result).toMatchObject({ resultType: 'complete' });
    const list = await askModern(started.url, 'tools/list');
    expect(list.result).toMatchObject({ resultType: 'complete', ttlMs: 0, cacheScope: 'private' });
    const read = await askModern(started.url, 'resources/read', { uri: 'raw://raw/one' });
    expect(read.result).toMatchObject({ resultType: 'complete', ttlMs: 0, cacheScope: 'private' });
  });

  it(verifies('downstream:modern:cancel-by-leaving'), async () => {
    const slow = { name: 'raw__slow', arguments: { ms: 60_000, payload: 'of one who leaves' } };
    const sending = sendModern(started.url, 'tools/call', slow, { id: 'leaver' });
    sending.answer.catch(() => undefined);
    await expect.poll(() => lineWith('of one who leaves')).toBeDefined();
    const { id } = JSON.parse((await lineWith('of one who leaves')) ?? '') as { id: number };
    sending.leave();
    await expect.poll(() => lineWith('notifications/cancelled')).toContain(`"requestId":${id}`);
  });
});

const lineWith = async (part: string): Promise<string | undefined> =>
  (await receivedLines(started.url)).find((line) => line.includes(part));
