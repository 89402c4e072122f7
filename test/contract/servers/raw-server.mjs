// A handshake server over pipes that is written by hand, so that tests see and send exact bytes.
//
//   node raw-server.mjs [--delay MS] [--name TEXT] [--ignore-term] [--ignore-end]
//
// It keeps every line that it receives; the tool `received` tells them.
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
  options: {
    delay: { type: 'string', default: '0' },
    name: { type: 'string', default: 'raw' },
    'ignore-term': { type: 'boolean', default: false },
    'ignore-end': { type: 'boolean', default: false },
  },
});

class RpcError extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

const received = [];
const answers = new Map();
const running = new Map();
const watched = new Set();
let lastQuestion = 0;
let level = 'debug';
let extraTools = 0;

const write = (text) => {
  process.stdout.write(`${text}\n`);
};
const writeRaw = (id, member, json) =>
  write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"${member}":${json}}`);
const send = (message) => write(JSON.stringify({ jsonrpc: '2.0', ...message }));
const text = (value) => ({ content: [{ type: 'text', text: value }] });
const notify = (method, params) => send(params === undefined ? { method } : { method, params });

/** Asks the host and waits; rejects with what it answers as an error. */
function ask(method, params, id = ++lastQuestion) {
  send({ id, method, params });
  return new Promise((resolve, reject) => answers.set(id, { resolve, reject }));
}

const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
const objectOf = (properties = {}) => ({ type: 'object', properties });

const tools = {
  /** The line of this very call, as it arrived. */
  echo: ({ line }) => text(line),
  /** The given JSON text as the result, byte for byte. */
  exact: ({ params, id }) => writeRaw(id, 'result', params.arguments.json),
  fails: ({ params, id }) => writeRaw(id, 'error', params.arguments.json),
  received: () => text(JSON.stringify(received)),
  slow: async ({ params, signal }) => {
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, params.arguments.ms);
      signal.onCancel = () => (clearTimeout(timer), resolve());
    });
    return text(String(params.arguments.payload ?? 'done'));
  },
  progress: async ({ params }) => {
    const { count = 3, every = 1 } = params.arguments ?? {};
    for (let step = 1; step <= count; step++) {
      notify('notifications/progress', {
        progressToken: params._meta?.progressToken,
        progress: step,
        total: count,
      });
      await new Promise((resolve) => setTimeout(resolve, every));
    }
    return text(`${count} steps`);
  },
  ask: async ({ params }) => {
    const { method = 'elicitation/create', ask: question = {}, id } = params.arguments ?? {};
    try {
      return text(JSON.stringify(await ask(method, question, id)));
    } catch (error) {
      return text(`refused: ${JSON.stringify(error)}`);
    }
  },
  withdraw: async () => {
    const id = `q-${++lastQuestion}`;
    send({
      id,
      method: 'elicitation/create',
      params: { message: 'never mind', requestedSchema: objectOf() },
    });
    notify('notifications/cancelled', { requestId: id, reason: 'no longer needed' });
    return text('withdrawn');
  },
  log: () => {
    for (const one of LEVELS) {
      if (LEVELS.indexOf(one) >= LEVELS.indexOf(level))
        notify('notifications/message', { level: one, data: one });
    }
    return text(level);
  },
  flood: async ({ params }) => {
    const { count, bytes } = params.arguments;
    const data = 'x'.repeat(bytes);
    for (let step = 0; step < count; step++) {
      const hasRoom = process.stdout.write(
        `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: params._meta?.progressToken, progress: step, message: data } })}\n`,
      );
      if (!hasRoom) await new Promise((resolve) => process.stdout.once('drain', resolve));
    }
    return text('flooded');
  },
  big: ({ params }) => text('b'.repeat(params.arguments.bytes)),
  grow: () => {
    extraTools++;
    notify('notifications/tools/list_changed');
    return text('grown');
  },
  touch: ({ params }) => {
    if (watched.has(params.arguments.uri))
      notify('notifications/resources/updated', { uri: params.arguments.uri });
    return text([...watched].join(' '));
  },
};

const MIRRORED = objectOf({
  region: { type: 'string', 'x-mcp-header': 'Region' },
  count: { type: 'integer', 'x-mcp-header': 'Count' },
  deep: objectOf({ flag: { type: 'boolean', 'x-mcp-header': 'Flag' } }),
});

const definitions = () => [
  ...Object.keys(tools).map((name) => ({ name, description: `The tool ${name}.`, inputSchema: objectOf() })),
  { name: 'mirrored', inputSchema: MIRRORED },
  ...Array.from({ length: extraTools }, (_none, index) => ({
    name: `grown_${index}`,
    inputSchema: objectOf(),
  })),
];

const methods = {
  initialize: ({ params }) => ({
    protocolVersion: params.protocolVersion,
    capabilities: {
      tools: { listChanged: true },
      prompts: {},
      resources: { subscribe: true },
      completions: {},
      logging: {},
    },
    serverInfo: { name: options.name, version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: definitions() }),
  'tools/call': (call) => {
    const tool = call.params.name === 'mirrored' ? tools.echo : tools[call.params.name];
    if (tool === undefined) throw new RpcError(-32602, `Unknown tool: ${call.params.name}`);
    return tool(call);
  },
  'prompts/list': () => ({ prompts: [{ name: 'greet', arguments: [{ name: 'who', required: true }] }] }),
  'prompts/get': ({ params }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Greet ${params.arguments?.who}` } }],
  }),
  'resources/list': () => ({ resources: [{ uri: `raw://${options.name}/one`, name: 'one' }] }),
  'resources/templates/list': () => ({
    resourceTemplates: [{ uriTemplate: `raw://${options.name}/item/{id}`, name: 'item' }],
  }),
  'resources/read': ({ params }) => ({ contents: [{ uri: params.uri, text: `content of ${params.uri}` }] }),
  'resources/subscribe': ({ params }) => (watched.add(params.uri), {}),
  'resources/unsubscribe': ({ params }) => (watched.delete(params.uri), {}),
  'completion/complete': ({ params }) => ({
    completion: { values: [`${params.argument.value}a`, `${params.argument.value}b`], hasMore: false },
  }),
  'logging/setLevel': ({ params }) => ((level = params.level), {}),
};

function takeAnswer({ id, result, error }) {
  const waiting = answers.get(id);
  answers.delete(id);
  if (error === undefined) waiting?.resolve(result);
  else waiting?.reject(error);
}

function takeCancelled({ requestId }) {
  const signal = running.get(requestId);
  if (signal === undefined) return;
  signal.isCancelled = true;
  signal.onCancel?.();
}

async function serve(line) {
  received.push(line);
  const message = JSON.parse(line);
  const { id, method, params } = message;
  if (method === undefined) return takeAnswer(message);
  if (method === 'notifications/cancelled') return takeCancelled(params);
  if (id === undefined) return;
  const signal = { isCancelled: false, onCancel: undefined };
  running.set(id, signal);
  try {
    const handler = methods[method];
    if (handler === undefined) throw new RpcError(-32601, `Method not found: ${method}`);
    const result = await handler({ id, params, line, signal });
    if (result !== undefined && !signal.isCancelled) send({ id, result });
  } catch (error) {
    send({ id, error: { code: error.code ?? -32603, message: error.message } });
  }
  running.delete(id);
}

let rest = '';
process.stdin.setEncoding('utf8');
const take = () =>
  process.stdin.on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const line of lines) if (line !== '') void serve(line);
  });
setTimeout(take, Number(options.delay));
process.stdout.on('error', () => process.exit(0));
if (options['ignore-term']) process.on('SIGTERM', () => {});
if (options['ignore-end']) setInterval(() => {}, 1_000);
