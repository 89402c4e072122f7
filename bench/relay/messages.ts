/**
 * What is sent and what has to come back. Every program of the benchmark uses these, so that no target answers
 * another question than the others.
 */
export type ResultSize = 'small' | 'large';

export const protocolVersion = '2026-07-28';

/** The name of the upstream in the gateways' configurations, and so the prefix of its tools. */
export const namespace = 'bench';

/** Request ids have this many digits, so that every request of a kind has the same length. */
export const idDigits = 8;

const largeResultBytes = 512 * 1024;
const sentence = 'a bucket that holds twenty tokens and gains ten a second lets a burst of twenty through; ';

/** The text of a result; plain ASCII without quotes, so that it is the same bytes however JSON is written. */
export function resultText(size: ResultSize): string {
  if (size === 'small') return sentence.repeat(2);
  return sentence.repeat(Math.ceil(largeResultBytes / sentence.length)).slice(0, largeResultBytes);
}

const meta = {
  'io.modelcontextprotocol/protocolVersion': protocolVersion,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

export interface CallTemplate {
  /** The whole HTTP request, with zeros for its id. */
  readonly bytes: Buffer;
  /** Where the digits of the id start. */
  readonly idAt: number;
}

/** One `tools/call` over HTTP/1.1, as the transport's specification says, for the tool `name`. */
export function callTemplate(
  address: { readonly port: number; readonly path: string },
  name: string,
): CallTemplate {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 0,
    method: 'tools/call',
    params: { name, arguments: { query: 'token bucket', limit: 5 }, _meta: meta },
  }).replace('"id":0', `"id":${'0'.repeat(idDigits)}`);
  const head = [
    `POST ${address.path} HTTP/1.1`,
    `Host: 127.0.0.1:${address.port}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    `MCP-Protocol-Version: ${protocolVersion}`,
    'Mcp-Method: tools/call',
    `Mcp-Name: ${name}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ].join('\r\n');
  const text = `${head}\r\n\r\n${body}`;
  return { bytes: Buffer.from(text), idAt: text.indexOf('"id":') + '"id":'.length };
}

/** The definitions of the upstream's two tools, one for each size of result. */
export const tools = (['small', 'large'] as const).map((name) => ({
  name,
  description: `Answers with a ${name} text.`,
  inputSchema: {
    type: 'object' as const,
    properties: { query: { type: 'string' }, limit: { type: 'integer' } },
    required: ['query'],
  },
}));
