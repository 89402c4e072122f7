import type { Ask, Fields, Target } from './ask.ts';
import { everyList } from './own-servers.ts';
import { pythonProgram, pythonScript } from './peers/python.ts';
import { root, startServer, type Served } from './processes.ts';

/** A server that somebody else's code serves, in one way of reaching it. */
export interface ForeignServer {
  readonly name: string;
  /** The newest era that it knows. */
  readonly era: 'modern' | 'legacy';
  /** What the gateway's entry says besides the target. */
  readonly entry: Fields;
  serve(): Promise<Served>;
  readonly asks: readonly Ask[];
}

const call = (name: string, args: Record<string, unknown> = {}): Ask => ({
  method: 'tools/call',
  params: { name, arguments: args },
});
const read = (uri: string): Ask => ({ method: 'resources/read', params: { uri } });
const get = (name: string, args: Record<string, string>): Ask => ({
  method: 'prompts/get',
  params: { name, arguments: args },
});
const complete = (ref: Record<string, string>, name: string, value: string): Ask => ({
  method: 'completion/complete',
  params: { ref, argument: { name, value } },
});

const firstAsks: readonly Ask[] = [
  ...everyList,
  call('greet', { name: 'Zoë' }),
  call('greet', { name: 'all', times: 3 }),
  call('greet', { times: 0 }),
  call('mixed'),
  call('fail'),
  call('count', { to: 3 }),
  read('city://Bern'),
  read('city://K%C3%B8benhavn'),
  read('pixel://one'),
  get('travel', { to: 'Lima' }),
  get('travel', { days: '2' }),
  complete({ type: 'ref/prompt', name: 'travel' }, 'to', 'Ber'),
  complete({ type: 'ref/resource', uri: 'city://{name}' }, 'name', 'K'),
];

const pythonAsks: readonly Ask[] = [
  ...everyList,
  call('find', { title: 'm' }),
  call('find', { title: 'm', limit: 1 }),
  call('find', { limit: 'many' }),
  call('first_sentence', { title: 'œuvre' }),
  call('first_sentence', { title: 'unwritten' }),
  call('echo', { value: { whole: 1, real: 1.5, nothing: null, text: '“ß”' } }),
  call('count', { to: 3 }),
  read('shelf://index'),
  read('book://emma'),
  read('book://unwritten'),
  get('review', { title: 'emma' }),
  get('review', { tone: 'harsh' }),
  complete({ type: 'ref/prompt', name: 'review' }, 'title', 'e'),
  complete({ type: 'ref/resource', uri: 'book://{title}' }, 'title', ''),
];

function onStdio(target: Target): Promise<Served> {
  return Promise.resolve({
    target,
    output: () => '',
    end: () => Promise.resolve(undefined),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  });
}

const firstScript = ['--import', 'tsx', 'test/interop/servers/first-sdk.ts'];

const firstOnStdio: Target = {
  kind: 'stdio',
  command: process.execPath,
  args: [...firstScript, 'stdio'],
  cwd: root,
};

const firstOnHttp = (): Promise<Served> =>
  startServer('an SDK v1 server', process.execPath, [...firstScript, 'http']);

export const serveFirst = (kind: 'stdio' | 'http'): Promise<Served> =>
  kind === 'http' ? firstOnHttp() : onStdio(firstOnStdio);

async function firstOnSse(): Promise<Served> {
  const service = await startServer('an SDK v1 server', process.execPath, [...firstScript, 'sse']);
  if (service.target.kind !== 'http') throw new Error('A server that announces a URL is reached over HTTP');
  return { ...service, target: { kind: 'sse', url: service.target.url } };
}

const pythonOnStdio: Target = {
  kind: 'stdio',
  command: pythonProgram,
  args: ['test/interop/python/server.py', 'stdio'],
  cwd: root,
};

const pythonOnHttp = (): Promise<Served> =>
  startServer('a Python server', pythonProgram, [pythonScript('server.py'), 'http', '0'], {
    mayEndBySignal: true,
  });

export const foreignServers: readonly ForeignServer[] = [
  {
    name: 'SDK v1 over stdio',
    era: 'legacy',
    entry: {},
    serve: () => onStdio(firstOnStdio),
    asks: firstAsks,
  },
  { name: 'SDK v1 over Streamable HTTP', era: 'legacy', entry: {}, serve: firstOnHttp, asks: firstAsks },
  {
    name: 'SDK v1 over HTTP+SSE',
    era: 'legacy',
    entry: { transport: 'sse' },
    serve: firstOnSse,
    asks: firstAsks,
  },
  {
    name: 'SDK v1 over HTTP+SSE, found by the gateway',
    era: 'legacy',
    entry: { transport: 'auto' },
    serve: firstOnSse,
    asks: firstAsks,
  },
  {
    name: 'Python over stdio',
    era: 'modern',
    entry: {},
    serve: () => onStdio(pythonOnStdio),
    asks: pythonAsks,
  },
  { name: 'Python over Streamable HTTP', era: 'modern', entry: {}, serve: pythonOnHttp, asks: pythonAsks },
  {
    name: 'Python over stdio, spoken to as legacy',
    era: 'legacy',
    entry: { era: 'legacy' },
    serve: () => onStdio(pythonOnStdio),
    asks: pythonAsks,
  },
  {
    name: 'Python over Streamable HTTP, spoken to as legacy',
    era: 'legacy',
    entry: { era: 'legacy' },
    serve: pythonOnHttp,
    asks: pythonAsks,
  },
];
