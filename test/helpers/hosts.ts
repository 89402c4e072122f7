import {
  exchange,
  type Message,
  open,
  type OpenAnswer,
  type RawAnswer,
  send,
  type Sending,
} from './raw-http.ts';

export const MODERN = '2026-07-28';

type Fields = Readonly<Record<string, unknown>>;

/** The envelope of a modern request. */
export const envelope = (more: Fields = {}): Fields => ({
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': { name: 'raw-host', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
  ...more,
});

/** The text of a modern request. */
export const modernBody = (method: string, params: Fields = {}, id: unknown = 1, meta: Fields = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params: { _meta: envelope(meta), ...params } });

/** The headers that mirror a modern request. */
export function modernHeaders(method: string, params: Fields = {}): Record<string, string> {
  const name = params['name'] ?? params['uri'];
  const isNamed = method === 'tools/call' || method === 'prompts/get' || method === 'resources/read';
  return {
    'mcp-protocol-version': MODERN,
    'mcp-method': method,
    ...(isNamed && typeof name === 'string' ? { 'mcp-name': mirrored(name) } : {}),
  };
}

/** A value as it may stand in a header. */
const mirrored = (value: string): string =>
  /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value)
    ? value
    : `=?base64?${Buffer.from(value).toString('base64')}?=`;

export interface ModernOptions {
  readonly id?: unknown;
  readonly meta?: Fields;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Begins a modern request. */
export const sendModern = (
  url: string,
  method: string,
  params: Fields = {},
  options: ModernOptions = {},
): Sending =>
  send(url, {
    headers: { ...modernHeaders(method, params), ...options.headers },
    body: modernBody(method, params, options.id ?? 1, options.meta),
  });

/** Makes a modern request and reads its answer while it comes. */
export const openModern = (...request: Parameters<typeof sendModern>): Promise<OpenAnswer> =>
  sendModern(...request).answer;

/** Makes a modern request and resolves with its response. */
export async function askModern(
  url: string,
  method: string,
  params: Fields = {},
  options: ModernOptions = {},
): Promise<Message> {
  const answer = await openModern(url, method, params, options);
  return answer.until((message) => message.method === undefined);
}

/** A handshake host: one session, requests with ids of its own. */
export interface LegacyHost {
  readonly session: string;
  /** The answer to `initialize`. */
  readonly hello: Message;
  readonly headers: Readonly<Record<string, string>>;
  send(method: string, params?: Fields, id?: unknown): Sending;
  open(method: string, params?: Fields, id?: unknown): Promise<OpenAnswer>;
  ask(method: string, params?: Fields, id?: unknown): Promise<Message>;
  /** Posts anything that is no request. */
  post(message: Fields): Promise<RawAnswer>;
  /** Opens the GET stream. */
  listen(headers?: Readonly<Record<string, string>>): Promise<OpenAnswer>;
  end(): Promise<RawAnswer>;
}

export interface LegacyOptions {
  readonly version?: string;
  readonly capabilities?: Fields;
  /** Whether requests carry `MCP-Protocol-Version`, as hosts before 2025-06-18 do not. */
  readonly hasVersionHeader?: boolean;
}

export const initializeBody = (version: string, capabilities: Fields = {}, id: unknown = 0): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id,
    method: 'initialize',
    params: { protocolVersion: version, capabilities, clientInfo: { name: 'raw-host', version: '1.0.0' } },
  });

export async function connectLegacy(url: string, options: LegacyOptions = {}): Promise<LegacyHost> {
  const { version = '2025-11-25', capabilities = {}, hasVersionHeader = true } = options;
  const opened = await exchange(url, { body: initializeBody(version, capabilities) });
  const hello = JSON.parse(opened.body) as Message;
  const session = opened.headers['mcp-session-id'];
  if (typeof session !== 'string') throw new Error(`no session: ${opened.status} ${opened.body}`);
  const agreed = String(hello.result?.['protocolVersion']);
  const headers = {
    'mcp-session-id': session,
    ...(hasVersionHeader ? { 'mcp-protocol-version': agreed } : {}),
  };
  let lastId = 0;
  const begin = (method: string, params: Fields | undefined, id: unknown): Sending =>
    send(url, {
      headers,
      body: JSON.stringify({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) }),
    });
  const post = (message: Fields): Promise<RawAnswer> =>
    exchange(url, { headers, body: JSON.stringify({ jsonrpc: '2.0', ...message }) });
  await post({ method: 'notifications/initialized' });
  return {
    session,
    hello,
    headers,
    send: (method, params, id = ++lastId) => begin(method, params, id),
    open: (method, params, id = ++lastId) => begin(method, params, id).answer,
    ask: async (method, params, id = ++lastId) => {
      const answer = await begin(method, params, id).answer;
      return answer.until((message) => message.method === undefined);
    },
    post,
    listen: (more = {}) => open(url, { method: 'GET', headers: { ...headers, ...more } }),
    end: () => exchange(url, { method: 'DELETE', headers }),
  };
}

/** The lines that the handwritten server has received so far, the question for them left out. */
export async function receivedLines(url: string): Promise<string[]> {
  const answer = await askModern(url, 'tools/call', { name: 'raw__received', arguments: {} });
  const lines = JSON.parse(textOf(answer)) as string[];
  return lines.filter((line) => !line.includes('"received"'));
}

/** The text of a tool's first content block. */
export function textOf(message: Message): string {
  const [block] = (message.result?.['content'] ?? []) as readonly { readonly text?: string }[];
  if (block?.text === undefined) throw new Error(`no text in ${JSON.stringify(message)}`);
  return block.text;
}
