/** An MCP server in plain Node: it parses each request and answers with bytes that were made once. */
import { type ServerResponse } from 'node:http';
import { protocolVersion, resultText, tools, type ResultSize } from './messages.ts';
import { serve } from './program.ts';

interface ReadRequest {
  readonly id?: string | number;
  readonly method: string;
  readonly params?: { readonly name?: string };
}

const serverInfo = { 'io.modelcontextprotocol/serverInfo': { name: 'bench', version: '1.0.0' } };
const cacheable = { ttlMs: 60_000, cacheScope: 'public' };

function callResult(size: ResultSize): string {
  return JSON.stringify({ resultType: 'complete', content: [{ type: 'text', text: resultText(size) }] });
}

const results = new Map<string, string>([
  [
    'server/discover',
    JSON.stringify({
      resultType: 'complete',
      supportedVersions: [protocolVersion],
      capabilities: { tools: {} },
      ...cacheable,
      _meta: serverInfo,
    }),
  ],
  ['tools/list', JSON.stringify({ resultType: 'complete', tools, ...cacheable, _meta: serverInfo })],
  ['tools/call small', callResult('small')],
  ['tools/call large', callResult('large')],
]);

function answer(response: ServerResponse, status: number, text: string): void {
  const body = Buffer.from(text);
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': body.length });
  response.end(body);
}

function respond(text: string, response: ServerResponse): void {
  const { id, method, params } = JSON.parse(text) as ReadRequest;
  if (id === undefined) {
    response.writeHead(202).end();
    return;
  }
  const result = results.get(method === 'tools/call' ? `${method} ${params?.name}` : method);
  const envelope = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},`;
  if (result === undefined)
    answer(response, 404, `${envelope}"error":{"code":-32601,"message":"Method not found"}}`);
  else answer(response, 200, `${envelope}"result":${result}}`);
}

serve((request, response) => {
  if (request.method !== 'POST') {
    response.writeHead(405, { Allow: 'POST' }).end();
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => respond(Buffer.concat(chunks).toString(), response));
});
