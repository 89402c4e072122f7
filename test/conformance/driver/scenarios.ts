import type { Client } from '@modelcontextprotocol/client';
import { createModernClient, type ModernClient } from '../modern-client.ts';
import { isModern, type Revision } from '../revisions.ts';
import { connectSdkClient } from '../sdk-client.ts';

/** What a scenario's run is given. */
export interface Run {
  /** Where the client connects to. */
  readonly url: string;
  readonly revision: Revision;
  /** The scenario's own data, from the suite. */
  readonly context: Readonly<Record<string, unknown>>;
}

type Scenario = (run: Run) => Promise<void>;

/** What a plain client does in each scenario of the suite; the suite's server looks at what reaches it. */
export const SCENARIOS: ReadonlyMap<string, Scenario> = new Map<string, Scenario>([
  ['initialize', (run) => withClient(run, async (client) => void (await client.listTools()))],
  ['json-schema-ref-no-deref', (run) => withClient(run, async (client) => void (await client.listTools()))],
  // Declares nothing: a list is the gateway's own request, so a caller's capabilities could not reach the server.
  ['request-metadata', (run) => withClient(run, async (client) => void (await client.listTools()))],
  ['tools_call', (run) => withClient(run, (client) => callTool(client, 'add_numbers', { a: 5, b: 3 }))],
  ['sse-retry', (run) => withClient(run, (client) => callTool(client, 'test_reconnection', {}))],
  ['elicitation-sep1034-client-defaults', answerWithDefaults],
  ['json-schema-2020-12-preservation', (run) => withClient(run, echoSchema)],
  ['http-standard-headers', (run) => withClient(run, useEveryMethod)],
  ['http-custom-headers', (run) => withClient(run, (client) => makeGivenCalls(client, run.context))],
  ['http-invalid-tool-headers', callEveryListedTool],
  ['sep-2322-client-request-state', answerInRounds],
]);

async function withClient(run: Run, use: (client: Client) => Promise<void>): Promise<void> {
  const client = await connectSdkClient(run.url, run.revision);
  await use(client);
  await client.close();
}

/** Lists first, as hosts do: a call relies on the definition that was listed. */
async function callTool(client: Client, name: string, args: Record<string, unknown>): Promise<void> {
  const { tools } = await client.listTools();
  if (!tools.some((tool) => tool.name === name)) throw new Error(`${name} is not listed`);
  const result = await client.callTool({ name, arguments: args });
  if (result.isError === true) throw new Error(`${name} failed: ${JSON.stringify(result.content)}`);
}

/** Accepts an empty form: the client fills in the defaults that the form came with. */
async function answerWithDefaults({ url, revision }: Run): Promise<void> {
  const capabilities = { elicitation: { form: { applyDefaults: true } } };
  const client = await connectSdkClient(url, revision, capabilities, (unconnected) => {
    unconnected.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: {} }));
  });
  await callTool(client, 'test_client_elicitation_defaults', {});
  await client.close();
}

/** Sends back the schema exactly as it was listed, so that the server can see what was lost on the way. */
async function echoSchema(client: Client): Promise<void> {
  const { tools } = await client.listTools();
  const schema = tools.find((tool) => tool.name === 'json_schema_2020_12_tool')?.inputSchema;
  if (schema === undefined) throw new Error('json_schema_2020_12_tool is not listed');
  await client.callTool({ name: 'json_schema_echo', arguments: { schema } });
}

async function useEveryMethod(client: Client): Promise<void> {
  const { tools } = await client.listTools();
  for (const { name } of tools) await client.callTool({ name, arguments: {} });
  const { resources } = await client.listResources();
  for (const { uri } of resources) await client.readResource({ uri });
  const { prompts } = await client.listPrompts();
  for (const { name } of prompts) await client.getPrompt({ name });
  if (tools.length === 0 || resources.length === 0 || prompts.length === 0) {
    throw new Error(`listed ${tools.length} tools, ${resources.length} resources, ${prompts.length} prompts`);
  }
}

interface GivenCall {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
}

async function makeGivenCalls(client: Client, context: Run['context']): Promise<void> {
  const calls = context['toolCalls'] as readonly GivenCall[] | undefined;
  if (calls === undefined || calls.length === 0) throw new Error('the suite gave no calls to make');
  await client.listTools();
  for (const call of calls) await client.callTool({ name: call.name, arguments: call.arguments });
}

/** The official client would drop invalid tools by itself and so hide that a gateway lets them through. */
async function callEveryListedTool({ url, revision }: Run): Promise<void> {
  const client = modernClient(url, revision);
  const { tools } = await client.result('tools/list');
  const names = (tools as readonly { name: string }[]).map((tool) => tool.name);
  if (names.length === 0) throw new Error('no tool is listed');
  for (const name of names) {
    const region = 'us-west1';
    const params = { name, arguments: { region } };
    await client.request('tools/call', params, { 'Mcp-Name': name, 'Mcp-Param-Region': region });
  }
}

/** One call answered with state, one unrelated, one without state, and one whose result has no type. */
async function answerInRounds({ url, revision }: Run): Promise<void> {
  const client = modernClient(url, revision);
  await client.result('tools/list');
  await callInRounds(client, 'test_mrtr_echo_state');
  await callInRounds(client, 'test_mrtr_unrelated');
  await callInRounds(client, 'test_mrtr_no_state');
  await callInRounds(client, 'test_mrtr_no_result_type');
}

const MOST_ROUNDS = 3;

async function callInRounds(client: ModernClient, name: string): Promise<void> {
  let answers: Readonly<Record<string, unknown>> = {};
  for (let round = 1; round <= MOST_ROUNDS; round += 1) {
    const result = await client.result('tools/call', { name, arguments: {}, ...answers });
    if (result['resultType'] !== 'input_required') return;
    const { inputRequests = {}, requestState } = result;
    const accepted = { action: 'accept', content: { confirmed: true } };
    answers = {
      inputResponses: Object.fromEntries(Object.keys(inputRequests as object).map((key) => [key, accepted])),
      ...(requestState !== undefined && { requestState }),
    };
  }
  throw new Error(`${name} asks again after ${MOST_ROUNDS} rounds`);
}

function modernClient(url: string, revision: Revision): ModernClient {
  if (!isModern(revision)) throw new Error(`this scenario has no form at ${revision}`);
  return createModernClient(url, { elicitation: {} });
}
