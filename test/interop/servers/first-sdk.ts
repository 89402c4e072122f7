// A server on the first major version of the official SDK, which knows the handshake revisions only:
// first-sdk.ts stdio | http | sse. HTTP modes take a free port and announce the endpoint on standard error.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { completable } from '@modelcontextprotocol/sdk/server/completable.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const cities = ['Bern', 'Berlin', 'København', 'Lima'];
const citiesLike = (typed: string) => cities.filter((city) => city.startsWith(typed));

const text = (said: string): CallToolResult => ({ content: [{ type: 'text', text: said }] });

function registerPlainTools(server: McpServer): void {
  server.registerTool(
    'greet',
    {
      title: 'Greet',
      description: 'Greets somebody.',
      inputSchema: { name: z.string().describe('Who'), times: z.number().int().min(1).default(1) },
      outputSchema: { greeting: z.string(), times: z.number() },
      annotations: { readOnlyHint: true },
    },
    ({ name, times }) => {
      const greeting = `Hello, ${name}!`;
      return { ...text(greeting.repeat(times)), structuredContent: { greeting, times } };
    },
  );
  server.registerTool('mixed', { description: 'Returns every kind of content.', inputSchema: {} }, () => ({
    content: [
      { type: 'text', text: 'Grüße, 世界 🌍', annotations: { audience: ['user'], priority: 0.5 } },
      { type: 'image', data: pixel, mimeType: 'image/png' },
      { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' },
      { type: 'resource_link', uri: 'city://Bern', name: 'Bern', mimeType: 'text/plain' },
      { type: 'resource', resource: { uri: 'city://Lima', mimeType: 'text/plain', text: 'Lima' } },
    ],
    _meta: { 'example.com/note': { kept: [1, null, 'x'] } },
  }));
  server.registerTool('fail', { description: 'Fails.', inputSchema: {} }, () => {
    throw new Error('It was meant to fail');
  });
  server.registerTool(
    'count',
    { description: 'Counts and reports progress.', inputSchema: { to: z.number().int() } },
    async ({ to }, { _meta, sendNotification }) => {
      const progressToken = _meta?.progressToken;
      for (let progress = 1; progress <= to; progress += 1) {
        if (progressToken === undefined) continue;
        await sendNotification({
          method: 'notifications/progress',
          params: { progressToken, progress, total: to, message: `${progress} of ${to}` },
        });
      }
      // A client forgets the call with its result; progress that arrives in the same moment would be lost on it.
      await delay(20);
      return text(`Counted to ${to}.`);
    },
  );
}

/** Tools that need something of the client in the middle of a call. */
function registerAskingTools(server: McpServer): void {
  server.registerTool(
    'ask',
    { description: 'Asks the user.', inputSchema: {} },
    async (_args, { sendRequest }) => {
      const request = {
        method: 'elicitation/create' as const,
        params: {
          message: 'Which city?',
          requestedSchema: {
            type: 'object' as const,
            properties: { city: { type: 'string' as const } },
            required: ['city'],
          },
        },
      };
      return text(JSON.stringify(await sendRequest(request, z.looseObject({}))));
    },
  );
  server.registerTool(
    'think',
    { description: 'Asks the model.', inputSchema: {} },
    async (_args, { sendRequest }) => {
      const request = {
        method: 'sampling/createMessage' as const,
        params: {
          messages: [{ role: 'user' as const, content: { type: 'text' as const, text: 'Name a city' } }],
          maxTokens: 10,
        },
      };
      return text(JSON.stringify(await sendRequest(request, z.looseObject({}))));
    },
  );
  server.registerTool(
    'log',
    { description: 'Writes to the log.', inputSchema: {} },
    async (_args, { sendNotification }) => {
      await sendNotification({
        method: 'notifications/message',
        params: { level: 'warning', logger: 'first', data: 'Take care' },
      });
      return text('Logged.');
    },
  );
}

function registerRest(server: McpServer): void {
  const template = new ResourceTemplate('city://{name}', {
    list: () => ({ resources: cities.slice(0, 2).map((name) => ({ uri: `city://${name}`, name })) }),
    complete: { name: citiesLike },
  });
  server.registerResource(
    'city',
    template,
    { description: 'A city', mimeType: 'text/plain' },
    (uri, { name }) => ({
      contents: [
        { uri: uri.href, mimeType: 'text/plain', text: `This is ${decodeURIComponent(String(name))}.` },
      ],
    }),
  );
  server.registerResource(
    'pixel',
    'pixel://one',
    { description: 'One pixel', mimeType: 'image/png' },
    (uri) => ({
      contents: [{ uri: uri.href, mimeType: 'image/png', blob: pixel }],
    }),
  );
  server.registerPrompt(
    'travel',
    {
      title: 'Travel',
      description: 'Plans a journey.',
      argsSchema: {
        to: completable(z.string().describe('Where to'), citiesLike),
        days: z.string().optional(),
      },
    },
    ({ to, days = '3' }) => ({
      messages: [
        { role: 'user', content: { type: 'text', text: `Plan ${days} days in ${to}.` } },
        { role: 'assistant', content: { type: 'image', data: pixel, mimeType: 'image/png' } },
      ],
    }),
  );
}

/** The tools are the same in every session, so that all of them hear of a new one. */
function createGrowth(): (server: McpServer) => void {
  const servers = new Set<McpServer>();
  let hasGrown = false;
  const addGrown = (server: McpServer) =>
    server.registerTool('grown', { description: 'Was added while running.', inputSchema: {} }, () =>
      text('Here.'),
    );
  return (server) => {
    servers.add(server);
    server.server.onclose = () => servers.delete(server);
    if (hasGrown) addGrown(server);
    server.registerTool('grow', { description: 'Adds a tool.', inputSchema: {} }, () => {
      hasGrown = true;
      for (const each of servers) addGrown(each);
      return text('Grown.');
    });
  };
}

const registerGrowth = createGrowth();

function build(): McpServer {
  const server = new McpServer(
    { name: 'first-sdk', version: '1.0.0' },
    { instructions: 'Greets and travels.', capabilities: { logging: {} } },
  );
  registerPlainTools(server);
  registerAskingTools(server);
  registerRest(server);
  registerGrowth(server);
  return server;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

function answerHttp(): Answer {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  return async (request, response) => {
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? sessions.get(id) : undefined;
    if (typeof id === 'string' && known === undefined) {
      response.writeHead(404).end();
      return;
    }
    if (known !== undefined) {
      await known.handleRequest(request, response);
      return;
    }
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (opened) => void sessions.set(opened, transport),
    });
    await build().connect(transport);
    await transport.handleRequest(request, response);
  };
}

function answerSse(): Answer {
  const sessions = new Map<string, SSEServerTransport>();
  return async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (request.method === 'GET' && url.pathname === '/sse') {
      const transport = new SSEServerTransport('/messages', response);
      sessions.set(transport.sessionId, transport);
      response.on('close', () => sessions.delete(transport.sessionId));
      await build().connect(transport);
      return;
    }
    const transport = sessions.get(url.searchParams.get('sessionId') ?? '');
    if (request.method !== 'POST' || url.pathname !== '/messages' || transport === undefined) {
      response.writeHead(request.method === 'POST' && url.pathname === '/sse' ? 405 : 404).end();
      return;
    }
    await transport.handlePostMessage(request, response, await json(request));
  };
}

async function listen(answer: Answer, path: string): Promise<void> {
  const listener = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      console.error(error);
      if (!response.headersSent) response.writeHead(500).end();
    });
  });
  await new Promise<void>((resolve) => {
    listener.listen(0, '127.0.0.1', resolve);
  });
  process.once('SIGTERM', () => {
    listener.close();
    listener.closeAllConnections();
  });
  process.stderr.write(`ready http://127.0.0.1:${(listener.address() as AddressInfo).port}${path}\n`);
}

const mode = process.argv[2];
if (mode === 'http') await listen(answerHttp(), '/mcp');
else if (mode === 'sse') await listen(answerSse(), '/sse');
else await build().connect(new StdioServerTransport());
