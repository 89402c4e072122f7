/**
 * A gateway as one would first write it on the classes of the official SDK: one client behind, a handler with a
 * low-level server in front. It does nothing but rename tools, and is the reference for what raw frames gain.
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type NodeIncomingMessageLike, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { namespace } from './messages.ts';
import { serve, setting } from './program.ts';

const client = new Client(
  { name: 'sdk-gateway', version: '1.0.0' },
  { versionNegotiation: { mode: 'auto' } },
);
await client.connect(new StreamableHTTPClientTransport(new URL(`${setting('UPSTREAM_ORIGIN')}/mcp`)));

const prefix = `${namespace}__`;
const listed = await client.listTools();
const tools = listed.tools.map((tool) => ({ ...tool, name: `${prefix}${tool.name}` }));
const nativeNames = new Map(listed.tools.map(({ name }) => [`${prefix}${name}`, name]));

const handler = createMcpHandler(() => {
  const server = new Server({ name: 'sdk-gateway', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({ tools }));
  server.setRequestHandler('tools/call', (request) => {
    const name = nativeNames.get(request.params.name);
    if (name === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown tool');
    return client.callTool({ name, arguments: request.params.arguments ?? {} });
  });
  return server;
});
const listener = toNodeHandler(handler);

// The adapter asks for less than Node's own class has; their types differ in optional members alone.
serve((request, response) => void listener(request as NodeIncomingMessageLike, response));
