import { DEFAULT_PROFILE } from '../domain/index.ts';
import { CommandError, EXIT } from './exit.ts';
import { type Answer, createLocalHost, type LocalHost } from './local-host.ts';
import { openGateway, type OpenGateway } from './open-gateway.ts';
import { printError, printJson, printText, table } from './print.ts';
import { stopOnSignals } from './stop.ts';
import { packageVersion } from './version.ts';

export interface OneShotOptions {
  readonly config: string;
  readonly profile?: string | undefined;
  readonly json?: boolean | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** Opens the gateway for one request and ends it again, whatever happens. */
export async function withHost<T>(
  options: OneShotOptions,
  run: (host: LocalHost, opened: OpenGateway) => Promise<T>,
): Promise<T> {
  const opened = await openGateway({ configPath: options.config, logLevel: 'error' });
  const profile = options.profile ?? DEFAULT_PROFILE;
  if (!opened.gateway.policy.hasProfile(profile)) {
    throw new CommandError(`profile "${profile}" is not in ${opened.config.path}`, EXIT.usage);
  }
  const stop = stopOnSignals(opened);
  try {
    return await run(createLocalHost(opened.gateway, profile, packageVersion()), opened);
  } finally {
    await stop();
  }
}

/** `tollgate tools`: what a host of this profile would be listed. */
export async function tools(options: OneShotOptions): Promise<void> {
  await withHost(options, async (host, { gateway }) => {
    const list = await host.list('tool');
    const troubled = gateway.catalog.current().servers.filter((server) => server.trouble !== undefined);
    if (options.json === true) printJson({ tools: list });
    else printText(table(list.map((tool) => [String(tool['name']), firstLine(tool['description'])])));
    for (const server of troubled) printError(`server ${server.id}: ${server.trouble ?? ''}`);
  });
}

const firstLine = (text: unknown): string =>
  typeof text === 'string' ? (text.trim().split('\n', 1)[0] ?? '') : '';

/** `tollgate call NAME JSON`. */
export async function call(name: string, json: string | undefined, options: OneShotOptions): Promise<void> {
  const args = parseObject(json, 'the arguments');
  await withHost(options, async (host) => {
    const result = resultOf(await host.request('tools/call', { name, arguments: args }), options);
    if (options.json === true) printJson(result);
    else for (const block of contentOf(result['content'])) printText(block);
    if (result['isError'] === true) process.exitCode = EXIT.failed;
    if (result['resultType'] === 'input_required') {
      throw new CommandError('the tool asks its user for input, which needs a host', EXIT.failed);
    }
  });
}

/** `tollgate read URI`. */
export async function read(uri: string, options: OneShotOptions): Promise<void> {
  await withHost(options, async (host) => {
    const result = resultOf(await host.request('resources/read', { uri }), options);
    if (options.json === true) return printJson(result);
    for (const content of (result['contents'] ?? []) as readonly Fields[]) {
      const { text, blob } = content;
      if (typeof blob === 'string') process.stdout.write(Buffer.from(blob, 'base64'));
      else printText(textOf(text));
    }
  });
}

/** `tollgate get PROMPT JSON`. */
export async function get(name: string, json: string | undefined, options: OneShotOptions): Promise<void> {
  const args = parseObject(json, 'the arguments');
  await withHost(options, async (host) => {
    const result = resultOf(await host.request('prompts/get', { name, arguments: args }), options);
    if (options.json === true) return printJson(result);
    for (const message of (result['messages'] ?? []) as readonly Fields[]) {
      for (const block of contentOf([message['content']].flat()))
        printText(`${String(message['role'])}: ${block}`);
    }
  });
}

function resultOf(answer: Answer, options: OneShotOptions): Fields {
  if (answer.ok) return answer.result;
  const { code, message, data } = answer;
  // Whoever reads JSON reads it in every case; the exit code says which.
  if (options.json === true) printJson({ error: { code, message, data } });
  throw new CommandError(answer.message, EXIT.failed);
}

/** Content blocks as text; what is not text is named with its kind, type and size. */
function contentOf(content: unknown): string[] {
  if (!Array.isArray(content)) return [];
  return (content as readonly Fields[]).map((block) => {
    if (typeof block['text'] === 'string') return block['text'];
    const resource = block['resource'] as Fields | undefined;
    if (typeof resource?.['text'] === 'string') return resource['text'];
    const data =
      typeof block['data'] === 'string' ? `, ${Buffer.byteLength(block['data'], 'base64')} bytes` : '';
    const uri = block['uri'] ?? resource?.['uri'];
    return `[${textOf(block['type'])} ${textOf(block['mimeType'] ?? uri)}${data}]`;
  });
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function parseObject(json: string | undefined, what: string): Fields {
  if (json === undefined) return {};
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new CommandError(`${what} are not JSON: ${(error as Error).message}`, EXIT.usage);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw new CommandError(`${what} must be one JSON object, such as '{"query":"heap"}'`, EXIT.usage);
}
