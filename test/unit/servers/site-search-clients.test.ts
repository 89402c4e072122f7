import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FirstStdioTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as FirstHttpTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveOverHttp } from '../../../servers/site-search/http.ts';
import type { HttpService } from '../../../servers/site-search/http.ts';
import { createSiteServer } from '../../../servers/site-search/server.ts';
import { loadSite } from '../../../servers/site-search/site.ts';
import { verifies } from '../../requirements/site-search.ts';

const LAUNCHER = fileURLToPath(new URL('../../../servers/site-search/main.js', import.meta.url));
const CONTENT = fileURLToPath(new URL('../../../servers/site-search/content', import.meta.url));
const TRACKS = ['blog', 'design', 'dsa', 'essays', 'gpu', 'kernel'];
const TEMPLATE = 'chapter://{track}/{chapter_id}';
const RATE_LIMITER = 'chapter://design/22-rate-limiter';

let service: HttpService;
beforeAll(async () => {
  const site = await loadSite(CONTENT);
  service = await serveOverHttp(() => createSiteServer(site), {
    host: '127.0.0.1',
    port: 0,
    onError: () => {},
  });
});
afterAll(() => service.close());

/** What the two generations of the official client have in common. */
interface Peer {
  listTools(): Promise<unknown>;
  listPrompts(): Promise<unknown>;
  listResources(): Promise<unknown>;
  listResourceTemplates(): Promise<unknown>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  readResource(params: { uri: string }): Promise<unknown>;
  getPrompt(params: { name: string; arguments: Record<string, string> }): Promise<unknown>;
  complete(params: {
    ref: { type: 'ref/resource'; uri: string };
    argument: { name: string; value: string };
    context?: { arguments: Record<string, string> };
  }): Promise<unknown>;
  getInstructions(): string | undefined;
  close(): Promise<void>;
}

const INFO = { name: 'test', version: '1.0.0' };
const PROCESS = { command: process.execPath, args: [LAUNCHER] };

async function connect(mode: 'legacy' | { pin: string }, transport: 'stdio' | 'http'): Promise<Peer> {
  const client = new Client(INFO, { versionNegotiation: { mode } });
  await client.connect(
    transport === 'stdio'
      ? new StdioClientTransport(PROCESS)
      : new StreamableHTTPClientTransport(new URL(service.url)),
  );
  return client;
}

async function connectFirst(transport: 'stdio' | 'http'): Promise<Peer> {
  const client = new FirstClient(INFO);
  await client.connect(
    transport === 'stdio' ? new FirstStdioTransport(PROCESS) : new FirstHttpTransport(new URL(service.url)),
  );
  return client;
}

const PEERS: readonly [string, () => Promise<Peer>][] = [
  ['SDK v2, modern, over HTTP', () => connect({ pin: '2026-07-28' }, 'http')],
  ['SDK v2, legacy, over HTTP', () => connect('legacy', 'http')],
  ['SDK v1 over HTTP', () => connectFirst('http')],
  ['SDK v2, modern, over stdio', () => connect({ pin: '2026-07-28' }, 'stdio')],
  ['SDK v2, legacy, over stdio', () => connect('legacy', 'stdio')],
  ['SDK v1 over stdio', () => connectFirst('stdio')],
];

describe.each(PEERS)('%s', (_name, open) => {
  let peer: Peer;
  beforeAll(async () => {
    peer = await open();
  });
  afterAll(() => peer.close());

  it(verifies('site-search:clients:every-client'), async () => {
    expect(peer.getInstructions()).toContain('search_site');
    await expect(peer.listPrompts()).resolves.toMatchObject({
      prompts: [{ name: 'answer_from_site', arguments: [{ name: 'question', required: true }] }],
    });
    await expect(peer.listResourceTemplates()).resolves.toMatchObject({
      resourceTemplates: [{ uriTemplate: TEMPLATE, mimeType: 'text/markdown' }],
    });
    const { resources } = (await peer.listResources()) as { resources: { uri: string; size: number }[] };
    expect(resources.length).toBeGreaterThanOrEqual(32);
    expect(resources.map((resource) => resource.uri)).toContain(RATE_LIMITER);

    await expect(peer.readResource({ uri: RATE_LIMITER })).resolves.toMatchObject({
      contents: [
        { uri: RATE_LIMITER, mimeType: 'text/markdown', text: expect.stringMatching(/^# Rate limiter\n/) },
      ],
    });
    const question = 'How many requests does a fixed window let through at its boundary?';
    await expect(
      peer.getPrompt({ name: 'answer_from_site', arguments: { question } }),
    ).resolves.toMatchObject({
      messages: [
        {
          role: 'user',
          content: {
            type: 'text',
            text: expect.stringMatching(/at its boundary\?[\s\S]*design\/22-rate-limiter/),
          },
        },
      ],
    });
    const ref = { type: 'ref/resource', uri: TEMPLATE } as const;
    await expect(peer.complete({ ref, argument: { name: 'track', value: 'd' } })).resolves.toMatchObject({
      completion: { values: ['design', 'dsa'] },
    });
    const argument = { name: 'chapter_id', value: 'heap' };
    const context = { arguments: { track: 'dsa' } };
    await expect(peer.complete({ ref, argument, context })).resolves.toMatchObject({
      completion: { values: ['09-heaps'] },
    });
  });

  it(verifies('site-search:schema:track-enum'), async () => {
    const { tools } = (await peer.listTools()) as { tools: Record<string, unknown>[] };
    expect(tools.map((tool) => tool['name'])).toEqual(['search_site', 'list_chapters']);
    for (const tool of tools) expect(String(tool['description']).length).toBeGreaterThan(80);
    expect(tools[0]?.['inputSchema']).toMatchObject({
      required: ['query'],
      properties: { query: { type: 'string' }, track: { type: 'string', enum: TRACKS } },
    });
    expect(tools[1]?.['inputSchema']).toMatchObject({
      required: ['track'],
      properties: { track: { type: 'string', enum: TRACKS } },
    });
  });

  it(verifies('site-search:results:block-per-item'), async () => {
    const search = await callTool(peer, 'search_site', { query: 'token bucket' });
    expect(search.structuredContent?.result).toHaveLength(5);
    expect(search.structuredContent?.result[0]).toEqual({
      track: 'design',
      chapter_id: '22-rate-limiter',
      title: 'Rate limiter',
      heading: 'Token bucket',
      uri: RATE_LIMITER,
      passage: expect.stringContaining('tokens'),
      score: expect.any(Number),
    });
    const chapters = await callTool(peer, 'list_chapters', { track: 'dsa' });
    expect(chapters.structuredContent?.result.map((chapter) => chapter['chapter_id'])).toContain('09-heaps');
    for (const { content, structuredContent } of [search, chapters]) {
      expect(content.map((block) => JSON.parse(block.text) as unknown)).toEqual(structuredContent?.result);
    }
  });

  it(verifies('site-search:errors:unknown-track'), async () => {
    for (const [name, args] of [
      ['search_site', { query: 'heap', track: 'cooking' }],
      ['list_chapters', { track: 'cooking' }],
      ['list_chapters', {}],
    ] as const) {
      const { isError, content } = await callTool(peer, name, args);
      expect(isError).toBe(true);
      for (const track of TRACKS) expect(content[0]?.text).toContain(track);
    }
  });

  it(verifies('site-search:errors:unknown-tool'), async () => {
    await expect(peer.callTool({ name: 'search', arguments: {} })).rejects.toMatchObject({ code: -32602 });
    await expect(peer.callTool({ name: 'constructor', arguments: {} })).rejects.toMatchObject({
      code: -32602,
    });
  });

  it(verifies('site-search:errors:unknown-chapter'), async () => {
    for (const uri of ['chapter://design/99-nothing', 'chapter://cooking/01-soup', 'file:///etc/passwd']) {
      await expect(peer.readResource({ uri })).rejects.toMatchObject({ code: -32602, data: { uri } });
    }
  });

  it('refuses an empty query and an argument that it does not know', async () => {
    expect((await callTool(peer, 'search_site', { query: ' ' })).isError).toBe(true);
    expect((await callTool(peer, 'search_site', { query: 'heap', trak: 'dsa' })).isError).toBe(true);
  });

  it('answers no match with an empty list', async () => {
    expect(await callTool(peer, 'search_site', { query: 'zzyzx' })).toMatchObject({
      content: [],
      structuredContent: { result: [] },
    });
  });
});

interface ToolAnswer {
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent?: { readonly result: readonly Record<string, unknown>[] };
  readonly isError?: boolean;
}

async function callTool(peer: Peer, name: string, args: Record<string, unknown>): Promise<ToolAnswer> {
  return (await peer.callTool({ name, arguments: args })) as ToolAnswer;
}
