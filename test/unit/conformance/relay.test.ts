import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { startRelay, type Relay } from '../../conformance/relay.ts';

const cleanups: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function relayOf(alter?: (chunk: Buffer) => Buffer): Promise<Relay> {
  const server = createServer((req, res) => {
    res.writeHead(201, { 'X-Host': req.headers.host ?? '' });
    req.pipe(res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  cleanups.push(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const relay = await startRelay(`http://127.0.0.1:${port}/mcp`, alter);
  cleanups.push(relay.stop);
  return relay;
}

describe('the relay', () => {
  it('passes status, headers and bodies on, the Host of the client included, and remembers the request', async () => {
    const relay = await relayOf();
    const response = await fetch(relay.url, {
      method: 'POST',
      headers: { 'Mcp-Name': 'tool' },
      body: 'sent',
    });
    expect([response.status, response.headers.get('x-host'), await response.text()]).toEqual([
      201,
      new URL(relay.url).host,
      'sent',
    ]);
    expect(relay.exchanges).toMatchObject([
      { httpMethod: 'POST', headers: { 'mcp-name': 'tool' }, bodyText: 'sent' },
    ]);
  });

  it('alters answers and not requests', async () => {
    const relay = await relayOf((chunk) => Buffer.from(chunk.toString().toUpperCase()));
    const response = await fetch(relay.url, { method: 'POST', body: 'sent' });
    expect(await response.text()).toBe('SENT');
    expect(relay.exchanges[0]?.bodyText).toBe('sent');
  });
});
