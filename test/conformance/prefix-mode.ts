import { failuresOf } from './compare.ts';
import { readChecks } from './checks.ts';
import { startFixture } from './fixture-process.ts';
import { asLocalhost, startGateway } from './gateway-process.ts';
import { createModernClient, type ModernClient } from './modern-client.ts';
import { startRelay, type Exchange, type Relay } from './relay.ts';
import { describeFinding, type Report } from './report.ts';
import type { Revision } from './revisions.ts';
import { runServerScenarios } from './suite.ts';

const NAMESPACE = 'everything';
const QUALIFIED_NAME = /^everything__[A-Za-z0-9_-]+$/;
/** The default of `names.maxLength`. */
const NAME_CHARS = 48;
const HEADER_MISMATCH = -32020;

interface Setup {
  readonly report: Report;
  /** Behind the gateway, where names are the server's own. */
  readonly bare: ModernClient;
  /** In front of the gateway, where names are qualified. */
  readonly qualified: ModernClient;
  readonly relay: Relay;
}

/**
 * Runs the gateway with a namespace, and looks at both hops: names are qualified in front of it and the
 * server's own behind it, in the body and in the `Mcp-Name` header alike.
 */
export async function checkPrefixMode(report: Report, outputFolder: string): Promise<void> {
  const fixture = await startFixture('both');
  const relay = await startRelay(fixture.announced);
  const gateway = await startGateway({ upstreamUrl: relay.url, namespace: NAMESPACE });
  const url = asLocalhost(gateway.announced);
  const setup = {
    report,
    bare: createModernClient(fixture.announced),
    qualified: createModernClient(url),
    relay,
  };
  try {
    await checkListedNames(setup, 'tools', 'tools/list');
    await checkListedNames(setup, 'prompts', 'prompts/list');
    await checkCallNames(setup);
    await checkOtherNames(setup);
    await checkNameMismatch(setup);
    await runListScenario(setup, url, '2026-07-28', outputFolder);
    await runListScenario(setup, url, '2025-11-25', outputFolder);
  } finally {
    await gateway.stop();
    await relay.stop();
    await fixture.stop();
  }
}

interface Definition {
  readonly name: string;
}

async function listed(client: ModernClient, member: string, method: string): Promise<readonly Definition[]> {
  const result = await client.result(method);
  return result[member] as readonly Definition[];
}

/** The order is the server's, so the entries of both lists belong together one by one. */
async function checkListedNames(
  { report, bare, qualified }: Setup,
  member: string,
  method: string,
): Promise<void> {
  const native = await listed(bare, member, method);
  const exposed = await listed(qualified, member, method);
  const where = `prefix mode, ${method}`;
  report.expect(
    native.length > 0 && exposed.length === native.length,
    `${where}: has as many entries as direct`,
  );
  report.expect(
    new Set(exposed.map(({ name }) => name)).size === exposed.length,
    `${where}: names are unique`,
  );
  for (const [index, { name, ...definition }] of exposed.entries()) {
    const original = native[index];
    if (original === undefined) continue;
    const { name: nativeName, ...nativeDefinition } = original;
    const full = `${NAMESPACE}__${nativeName}`;
    report.expect(
      QUALIFIED_NAME.test(name) && name.length <= NAME_CHARS && (full.length > NAME_CHARS || name === full),
      `${where}: ${nativeName} is exposed as ${name}`,
    );
    const same = JSON.stringify(definition) === JSON.stringify(nativeDefinition);
    report.expect(same, `${where}: the definition of ${nativeName} differs in more than its name`);
  }
}

/** Every tool that answers without asking anything back, called by its qualified name. */
async function checkCallNames(setup: Setup): Promise<void> {
  const native = await listed(setup.bare, 'tools', 'tools/list');
  const exposed = await listed(setup.qualified, 'tools', 'tools/list');
  for (const nativeName of ['test_simple_text', 'test_multiple_content_types', 'test_x_mcp_header']) {
    const name = exposed[native.findIndex((tool) => tool.name === nativeName)]?.name ?? 'missing';
    await checkHop(setup, 'tools/call', { name, arguments: {} }, name, nativeName);
  }
  // Its qualified name is too long to be kept whole.
  const long = 'test_input_required_result_capabilities';
  const name = exposed[native.findIndex((tool) => tool.name === long)]?.name ?? 'missing';
  await checkHop(setup, 'tools/call', { name, arguments: {} }, name, long);
}

async function checkOtherNames(setup: Setup): Promise<void> {
  const prompt = 'test_simple_prompt';
  const qualifiedPrompt = `${NAMESPACE}__${prompt}`;
  await checkHop(setup, 'prompts/get', { name: qualifiedPrompt }, qualifiedPrompt, prompt);
  const uri = 'test://static-text';
  await checkHop(setup, 'resources/read', { uri }, uri, uri);
}

async function checkHop(
  { report, qualified, relay }: Setup,
  method: string,
  params: Readonly<Record<string, unknown>>,
  sentName: string,
  nativeName: string,
): Promise<void> {
  const where = `prefix mode, ${method} of ${sentName}`;
  const before = relay.exchanges.length;
  const answer = await qualified.request(method, params, { 'Mcp-Name': sentName });
  report.expect(
    answer.result !== undefined,
    `${where}: is answered with HTTP ${answer.httpStatus} ${JSON.stringify(answer.error)}`,
  );
  const sent = relay.exchanges.slice(before).filter((exchange) => exchange.headers['mcp-method'] === method);
  report.expect(sent.length === 1, `${where}: reaches the server ${sent.length} times`);
  const [exchange] = sent;
  if (exchange === undefined) return;
  const header = exchange.headers['mcp-name'];
  report.expect(header === nativeName, `${where}: the server's Mcp-Name is ${String(header)}`);
  const named = bodyName(exchange);
  report.expect(named === nativeName, `${where}: the server's body names ${String(named)}`);
}

function bodyName({ bodyText }: Exchange): unknown {
  const { params } = JSON.parse(bodyText) as { params?: { name?: unknown; uri?: unknown } };
  return params?.name ?? params?.uri;
}

/** The native name in the header does not match the qualified one in the body, and must go no further. */
async function checkNameMismatch({ report, qualified, relay }: Setup): Promise<void> {
  const native = 'test_simple_text';
  const params = { name: `${NAMESPACE}__${native}`, arguments: {} };
  const before = relay.exchanges.length;
  const answer = await qualified.request('tools/call', params, { 'Mcp-Name': native });
  report.expect(
    answer.httpStatus === 400 && answer.error?.code === HEADER_MISMATCH,
    `prefix mode: a native Mcp-Name is answered with HTTP ${answer.httpStatus} ${JSON.stringify(answer.error)}`,
  );
  const calls = relay.exchanges.slice(before).filter(({ headers }) => headers['mcp-method'] === 'tools/call');
  report.expect(calls.length === 0, 'prefix mode: a mismatched call reaches the server');
}

async function runListScenario(
  { report }: Setup,
  url: string,
  revision: Revision,
  outputFolder: string,
): Promise<void> {
  const folder = `${outputFolder}/${revision}`;
  const { output } = await runServerScenarios(url, revision, folder, 'tools-list');
  const checks = await readChecks(folder, 'server-');
  if (checks.length === 0) report.fail(`prefix mode, tools-list at ${revision}: no results\n${output}`);
  const failures = failuresOf(checks);
  report.pass(checks.filter(({ status }) => status === 'SUCCESS').length);
  for (const finding of failures) report.fail(`prefix mode at ${revision}, ${describeFinding(finding)}`);
}
