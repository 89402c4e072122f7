import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ask, Target } from '../ask.ts';
import { cacheFolder } from '../cache-folder.ts';

/** A published server, how it is started, and what is asked of it beyond its lists. */
export interface CensusServer {
  /** Its key in the configuration, and so the prefix of its names. */
  readonly key: string;
  readonly packageName: string;
  start(folder: string): Target & { readonly kind: 'stdio' };
  /** Requests that it answers without any network: with work it does here, or with a complaint about arguments. */
  readonly asks: readonly Ask[];
}

interface Start {
  /** `FOLDER` stands for a folder of this run. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const installed = join(cacheFolder, 'census/node_modules');

/** Keeps servers from reporting how they are used. */
const quiet = { DO_NOT_TRACK: '1', DISABLE_TELEMETRY: 'true' };

function binaryOf(packageName: string): string {
  const folder = join(installed, packageName);
  if (!existsSync(folder)) throw new Error(`${packageName} is missing: run npm run interop:setup`);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    bin: string | Record<string, string>;
  };
  const file = typeof bin === 'string' ? bin : Object.values(bin)[0];
  if (file === undefined) throw new Error(`${packageName} has no command`);
  return join(folder, file);
}

function published(
  key: string,
  packageName: string,
  { args = [], env = {} }: Start,
  asks: readonly Ask[],
): CensusServer {
  const filled = (text: string, folder: string) => text.replaceAll('FOLDER', folder);
  return {
    key,
    packageName,
    start: (folder) => ({
      kind: 'stdio',
      command: process.execPath,
      args: [binaryOf(packageName), ...args.map((arg) => filled(arg, folder))],
      cwd: folder,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: folder,
        ...quiet,
        ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value, folder)])),
      },
    }),
    asks,
  };
}

const call = (name: string, args: Record<string, unknown> = {}): Ask => ({
  method: 'tools/call',
  params: { name, arguments: args },
});
const read = (uri: string): Ask => ({ method: 'resources/read', params: { uri } });

/** Written into the folder of each run, for the servers that work on files. */
export const sampleFiles: Readonly<Record<string, string>> = {
  'note.txt': 'A note.\nZweite Zeile: Grüße 🌍\n',
  'script.js': 'var a = 1;\n',
  'eslint.config.js': 'export default [{ rules: { "no-unused-vars": "error" } }];\n',
  'package.json': '{ "type": "module" }\n',
};

const entity = { name: 'Ada', entityType: 'person', observations: ['writes programs', 'spielt “Schach”'] };

const reference = '@modelcontextprotocol';

const referenceServers: readonly CensusServer[] = [
  published('filesystem', `${reference}/server-filesystem`, { args: ['FOLDER'] }, [
    call('read_text_file', { path: 'FOLDER/note.txt' }),
    call('list_directory', { path: 'FOLDER' }),
    call('read_text_file', { path: '/etc/hostname' }),
    call('read_text_file'),
  ]),
  published('memory', `${reference}/server-memory`, { env: { MEMORY_FILE_PATH: 'FOLDER/memory.jsonl' } }, [
    call('create_entities', { entities: [entity] }),
    call('read_graph'),
    call('search_nodes', { query: 'Schach' }),
  ]),
  published('everything', `${reference}/server-everything`, {}, [
    call('echo', { message: 'Grüße “🌍”' }),
    call('get-sum', { a: 2, b: 40 }),
    call('get-tiny-image'),
    call('get-structured-content', { location: 'Chicago' }),
    call('get-annotated-message', { messageType: 'error', includeImage: true }),
    call('get-resource-links', { count: 3 }),
    { method: 'prompts/get', params: { name: 'simple-prompt' } },
    { method: 'prompts/get', params: { name: 'args-prompt', arguments: { city: 'Bern' } } },
  ]),
  published(
    'thinking',
    `${reference}/server-sequential-thinking`,
    { env: { DISABLE_THOUGHT_LOGGING: 'true' } },
    [
      call('sequentialthinking', {
        thought: 'First',
        nextThoughtNeeded: true,
        thoughtNumber: 1,
        totalThoughts: 2,
      }),
      call('sequentialthinking', {
        thought: 'Last',
        nextThoughtNeeded: false,
        thoughtNumber: 2,
        totalThoughts: 2,
      }),
    ],
  ),
  published('github', `${reference}/server-github`, { env: { GITHUB_PERSONAL_ACCESS_TOKEN: 'x' } }, [
    call('get_issue'),
  ]),
  published('gitlab', `${reference}/server-gitlab`, { env: { GITLAB_PERSONAL_ACCESS_TOKEN: 'x' } }, [
    call('create_issue'),
  ]),
  published('maps', `${reference}/server-google-maps`, { env: { GOOGLE_MAPS_API_KEY: 'x' } }, [
    call('maps_elevation'),
  ]),
  published(
    'slack',
    `${reference}/server-slack`,
    { env: { SLACK_BOT_TOKEN: 'xoxb-x', SLACK_TEAM_ID: 'T0' } },
    [call('slack_post_message')],
  ),
  published('brave-first', `${reference}/server-brave-search`, { env: { BRAVE_API_KEY: 'x' } }, [
    call('brave_web_search'),
  ]),
  // Nothing listens there: queries and the list of tables fail, each by itself.
  published('postgres', `${reference}/server-postgres`, { args: ['postgresql://u:p@127.0.0.1:1/none'] }, [
    call('query', { sql: 'SELECT 1' }),
  ]),
  published('budget', `${reference}/server-budget-allocator`, { args: ['--stdio'] }, [
    call('get-budget-data'),
    read('ui://budget-allocator/mcp-app.html'),
  ]),
];

const otherServers: readonly CensusServer[] = [
  published('brave', '@brave/brave-search-mcp-server', { env: { BRAVE_API_KEY: 'x' } }, [
    call('brave_web_search'),
  ]),
  published('context7', '@upstash/context7-mcp', {}, [call('resolve-library-id')]),
  published('firecrawl', 'firecrawl-mcp', { env: { FIRECRAWL_API_KEY: 'fc-x' } }, [call('firecrawl_map')]),
  published('exa', 'exa-mcp-server', { env: { EXA_API_KEY: 'x' } }, []),
  published('tavily', 'tavily-mcp', { env: { TAVILY_API_KEY: 'tvly-x' } }, []),
  published('notion', '@notionhq/notion-mcp-server', { env: { NOTION_TOKEN: 'ntn_x' } }, []),
  published(
    'playwright',
    '@playwright/mcp',
    { args: ['--headless', '--executable-path', 'FOLDER/no-browser'] },
    [call('browser_resize')],
  ),
  published(
    'devtools',
    'chrome-devtools-mcp',
    { args: ['--headless', '--no-usage-statistics'], env: { CHROME_DEVTOOLS_MCP_NO_UPDATE_CHECKS: '1' } },
    [call('click')],
  ),
  published('fetch', 'mcp-fetch-server', {}, [call('fetch_html')]),
  published('chart', '@antv/mcp-server-chart', { env: { VIS_REQUEST_SERVER: 'http://127.0.0.1:1/' } }, [
    call('generate_liquid_chart', { percent: 'half' }),
  ]),
  published('eslint', '@eslint/mcp', {}, [
    call('lint-files', { filePaths: ['FOLDER/script.js'] }),
    call('lint-files'),
  ]),
  published(
    'figma',
    'figma-developer-mcp',
    { args: ['--stdio', '--figma-api-key=x'], env: { FRAMELINK_TELEMETRY: 'off' } },
    [call('get_figma_data')],
  ),
  published('airtable', 'airtable-mcp-server', { env: { AIRTABLE_API_KEY: 'pat.x' } }, [
    call('describe_table'),
  ]),
  published('git', '@cyanheads/git-mcp-server', {}, [call('git_blame'), call('git_clone')]),
  published('circleci', '@circleci/mcp-server-circleci', { env: { CIRCLECI_TOKEN: 'x' } }, [
    call('find_flaky_tests', { params: {} }),
  ]),
  published('runner', 'mcp-server-code-runner', {}, [
    call('run-code', { code: 'console.log(6 * 7)', languageId: 'javascript' }),
  ]),
  published('graph', '@itseasy21/mcp-knowledge-graph', { args: ['--memory-path', 'FOLDER/graph.jsonl'] }, [
    call('open_nodes', { names: ['Ada'] }),
    call('read_graph'),
  ]),
];

export const census: readonly CensusServer[] = [...referenceServers, ...otherServers];

/** Entries that never become a server: one ends at once, one never says a word, one does not exist. */
export function brokenEntries(folder: string): ReadonlyMap<string, Target & { readonly kind: 'stdio' }> {
  const slack = published('broken', `${reference}/server-slack`, {}, []).start(folder);
  const redis = published('broken', `${reference}/server-redis`, { args: ['redis://127.0.0.1:1'] }, []).start(
    folder,
  );
  return new Map([
    ['ends-at-once', slack],
    ['never-answers', redis],
    ['does-not-exist', { kind: 'stdio', command: 'no-such-program-here', args: [], cwd: folder }],
  ]);
}

/** Puts the folder of a run in place of its mark, wherever it stands in the parameters. */
export function inFolder(ask: Ask, folder: string): Ask {
  return JSON.parse(JSON.stringify(ask).replaceAll('FOLDER', folder)) as Ask;
}
