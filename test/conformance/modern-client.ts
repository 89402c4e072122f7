import { createParser } from 'eventsource-parser';

const PROTOCOL_VERSION = '2026-07-28';
const ENVELOPE = 'io.modelcontextprotocol/';
const ANSWER_MS = 20_000;

type Params = Readonly<Record<string, unknown>>;

export interface RpcAnswer {
  readonly httpStatus: number;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A client of the modern era that sends what it is told and filters nothing out of what it receives. */
export interface ModernClient {
  /** `headers` replace those that the request would carry by itself. */
  readonly request: (
    method: string,
    params?: Params,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<RpcAnswer>;
  /** As `request`, and an error unless there is a result. */
  readonly result: (method: string, params?: Params) => Promise<Readonly<Record<string, unknown>>>;
}

export function createModernClient(url: string, capabilities: Params = {}): ModernClient {
  let lastId = 0;
  const request: ModernClient['request'] = async (method, params = {}, headers = {}) => {
    lastId += 1;
    const id = lastId;
    const _meta = {
      [`${ENVELOPE}protocolVersion`]: PROTOCOL_VERSION,
      [`${ENVELOPE}clientInfo`]: { name: 'conformance-driver', version: '1.0.0' },
      [`${ENVELOPE}clientCapabilities`]: capabilities,
    };
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...standardHeaders(method, params), ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta } }),
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    return { httpStatus: response.status, ...(await readAnswer(response, id)) };
  };
  return {
    request,
    async result(method, params) {
      const { result, httpStatus, error } = await request(method, params);
      if (result !== undefined) return result;
      throw new Error(
        `${method} was answered with HTTP ${httpStatus} and ${JSON.stringify(error ?? 'no answer')}`,
      );
    },
  };
}

function standardHeaders(method: string, params: Params): Record<string, string> {
  const name = params['name'] ?? params['uri'];
  return {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': PROTOCOL_VERSION,
    'Mcp-Method': method,
    ...(typeof name === 'string' && { 'Mcp-Name': name }),
  };
}

interface Message extends Omit<RpcAnswer, 'httpStatus'> {
  readonly id?: unknown;
}

async function readAnswer(response: Response, id: number): Promise<Message> {
  const text = await response.text();
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const messages = isStream ? parseEvents(text) : parseBody(text);
  return messages.find((message) => message.id === id) ?? {};
}

function parseBody(text: string): Message[] {
  return text === '' ? [] : [JSON.parse(text) as Message];
}

function parseEvents(text: string): Message[] {
  const messages: Message[] = [];
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data !== '') messages.push(JSON.parse(data) as Message);
    },
  });
  parser.feed(text);
  return messages;
}
