import type { Ask, Target } from './ask.ts';
import { root, startServer, type Served } from './processes.ts';

/** A server with what is asked of it. Writes come after the lists: what they change shows in later lists. */
export interface OwnServer {
  readonly namespace: string;
  readonly stdio: Target;
  serve(): Promise<Served>;
  readonly asks: readonly Ask[];
  /** Made up by whoever is asked: only the code of the error is promised. */
  readonly unknown: readonly Ask[];
}

/** A fixed time makes every start of the tracker answer with the same bytes. */
const now = ['--now', '2026-06-01T12:00:00.000Z'];

export const everyList: readonly Ask[] = [
  { method: 'tools/list' },
  { method: 'resources/list' },
  { method: 'resources/templates/list' },
  { method: 'prompts/list' },
];

function ownServer(
  namespace: string,
  script: string,
  args: readonly string[],
  asks: readonly Ask[],
): OwnServer {
  return {
    namespace,
    stdio: { kind: 'stdio', command: process.execPath, args: [script, ...args], cwd: root },
    serve: () => startServer(namespace, process.execPath, [script, 'http', '--port', '0', ...args]),
    asks: [...everyList, ...asks],
    unknown: [
      { method: 'tools/call', params: { name: 'no_such_tool', arguments: {} } },
      { method: 'prompts/get', params: { name: 'no_such_prompt' } },
      { method: 'resources/read', params: { uri: `unheard-of://${namespace}` } },
    ],
  };
}

const call = (name: string, args?: Record<string, unknown>): Ask => ({
  method: 'tools/call',
  params: args === undefined ? { name } : { name, arguments: args },
});
const read = (uri: string): Ask => ({ method: 'resources/read', params: { uri } });
const get = (name: string, args?: Record<string, string>): Ask => ({
  method: 'prompts/get',
  params: args === undefined ? { name } : { name, arguments: args },
});
const complete = (
  ref: Record<string, string>,
  name: string,
  value: string,
  filled?: Record<string, string>,
): Ask => ({
  method: 'completion/complete',
  params: { ref, argument: { name, value }, ...(filled && { context: { arguments: filled } }) },
});

const chapter = { type: 'ref/resource', uri: 'chapter://{track}/{chapter_id}' };

export const site: OwnServer = ownServer(
  'site',
  'servers/site-search/main.js',
  [],
  [
    call('search_site', { query: 'token bucket at the boundary of a window' }),
    call('search_site', { query: 'heap', track: 'dsa' }),
    call('search_site', { query: 'naïve “quotes” 日本語 🚀' }),
    call('search_site', { query: 'anything', track: 'no-such-track' }),
    call('list_chapters', { track: 'gpu' }),
    read('chapter://design/22-rate-limiter'),
    read('chapter://dsa/09-heaps'),
    read('chapter://design/no-such-chapter'),
    get('answer_from_site', { question: 'How does a token bucket differ from a fixed window?' }),
    get('answer_from_site', { question: ' ' }),
    complete(chapter, 'track', 'd'),
    complete(chapter, 'chapter_id', '0', { track: 'dsa' }),
    complete({ type: 'ref/prompt', name: 'answer_from_site' }, 'question', 'How'),
  ],
);

const ticket = { type: 'ref/resource', uri: 'ticket://{id}' };

export const tickets: OwnServer = ownServer('tickets', 'servers/tickets/main.js', now, [
  call('search', { query: 'checkout' }),
  call('list', { status: 'open', priority: 'high', limit: 3 }),
  call('list'),
  call('get', { id: 'TK-107' }),
  call('get', { id: 'TK-999' }),
  call('create', {
    title: 'Ünïcode “title” 🎫',
    body: 'Line one\nline two\t"quoted" \\ back',
    team: 'web',
    labels: ['new'],
  }),
  call('update', { id: 'TK-125', priority: 'urgent' }),
  call('comment', { id: 'TK-125', body: 'A remark.', author: 'lea' }),
  call('assign', { id: 'TK-125', assignee: null }),
  call('label', { id: 'TK-125', add: ['bug'], remove: ['new'] }),
  call('close', { id: 'TK-125', resolution: 'duplicate' }),
  call('close', { id: 'TK-125' }),
  call('reopen', { id: 'TK-125' }),
  call('export', { format: 'json', status: 'closed', pause_ms: 0 }),
  call('search', { query: '', unheard_of: true }),
  read('ticket://TK-101'),
  read('ticket://TK-125'),
  read('tickets://summary'),
  read('tickets://export/csv'),
  read('ticket://TK-999'),
  get('triage', { id: 'TK-118' }),
  get('triage', { id: 'TK-999' }),
  get('weekly_report', { team: 'web' }),
  get('weekly_report'),
  complete(ticket, 'id', 'TK-12'),
  complete({ type: 'ref/prompt', name: 'triage' }, 'id', 'TK-11'),
  complete({ type: 'ref/prompt', name: 'weekly_report' }, 'team', ''),
]);

export const ownServers: readonly OwnServer[] = [site, tickets];
