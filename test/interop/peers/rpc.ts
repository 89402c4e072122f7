import { isFields, type Answer, type Ask, type Fields, type RpcError } from '../ask.ts';

export const MODERN = '2026-07-28';
export const LEGACY = '2025-11-25';

const clientInfo = { name: 'interop', version: '1' };

/** What the gateway offers to servers too: some of them show tools only to clients that can be asked. */
const capabilities = { roots: { listChanged: true }, sampling: {}, elicitation: {} };

/** A request of the modern revision, with the envelope that says who asks and how. */
export function modernRequest(id: number, { method, params }: Ask): Fields {
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  return { jsonrpc: '2.0', id, method, params: { ...params, _meta: envelope } };
}

export function legacyRequest(id: number, { method, params = {} }: Ask): Fields {
  return { jsonrpc: '2.0', id, method, params };
}

export const initializeRequest: Fields = {
  jsonrpc: '2.0',
  id: 'initialize',
  method: 'initialize',
  params: { protocolVersion: LEGACY, capabilities, clientInfo },
};

export const initializedNotification: Fields = { jsonrpc: '2.0', method: 'notifications/initialized' };

/** Reads a response as it came: nothing is dropped, renamed or filled in. */
export function answerIn(message: unknown, id: unknown): Answer {
  if (!isFields(message) || message['jsonrpc'] !== '2.0')
    throw new Error(`Not a response: ${JSON.stringify(message)}`);
  if (message['id'] !== id)
    throw new Error(`The response to ${JSON.stringify(id)} has id ${JSON.stringify(message['id'])}`);
  if (isFields(message['result']) && !('error' in message)) return { result: message['result'] };
  if (isFields(message['error'])) return { error: message['error'] as unknown as RpcError };
  throw new Error(`A response has neither result nor error: ${JSON.stringify(message)}`);
}

/** The header that names what a modern request is about, for proxies that do not read bodies. */
export function nameHeader({ method, params = {} }: Ask): string | undefined {
  if (method === 'resources/read') return String(params['uri']);
  return method === 'tools/call' || method === 'prompts/get' ? String(params['name']) : undefined;
}
