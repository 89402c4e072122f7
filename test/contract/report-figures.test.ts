import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { capturingHost, reportRows } from '../helpers/capturing-host.ts';
import { rawServer, startGateway } from '../helpers/gateway.ts';
import { connectLegacy, textOf } from '../helpers/hosts.ts';
import { exchange, type Message } from '../helpers/raw-http.ts';
import { verifies } from '../requirements/accounting.ts';

type Tool = Readonly<{ name: string; description?: string; inputSchema: unknown }>;

const toolsOf = (list: Message): readonly Tool[] => (list.result?.['tools'] ?? []) as readonly Tool[];

/** What a host hands to a model of each tool, counted by a tokenizer that is not the gateway's own. */
const tokensOf = (tools: readonly Tool[]): number =>
  tools
    .map(({ name, description, inputSchema }) => JSON.stringify({ name, description, inputSchema }))
    .reduce((sum, text) => sum + countTokens(text), 0);

const bytesOf = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);

describe('the report over a gateway that served', () => {
  it(verifies('accounting:report:from-bytes'), async () => {
    await using started = await startGateway(
      { raw: rawServer() },
      {
        profiles: { narrow: { exposure: { mode: 'search' } } },
        accounting: { countResults: true },
      },
    );
    await started.gateway.settled();
    const host = capturingHost(started.origin);
    const direct = await host.ask('tools/list');
    const found = await host.ask('tools/list', {}, '/narrow');
    await host.ask('tools/list', {}, '/narrow');
    const query = { name: 'search_tools', arguments: { query: 'echo the line' } };
    const searched = await host.ask('tools/call', query, '/narrow');
    const echoed = await host.ask('tools/call', { name: 'raw__echo', arguments: { said: 'äöü' } });
    const real = { name: 'call_tool', arguments: { name: 'raw__echo', arguments: { said: 'x' } } };
    const called = await host.ask('tools/call', real, '/narrow');
    await host.ask('tools/call', { name: 'raw__none', arguments: {} });

    const metaTools = toolsOf(found).filter(({ name }) => name === 'search_tools' || name === 'call_tool');
    const metaToolTokens = 2 * tokensOf(metaTools);
    const sentTokens = tokensOf(toolsOf(direct)) + 2 * tokensOf(toolsOf(found));
    const visible = 3 * tokensOf(toolsOf(direct));
    const searchAnswerTokens = countTokens(textOf(searched));
    expect(metaTools).toHaveLength(2);
    const [total, ...others] = await reportRows(started.origin);
    expect(others).toEqual([]);
    expect(total).toMatchObject({
      requests: host.captured.length,
      errors: 1,
      requestBytes: bytesOf(host.captured.map(({ sent }) => sent)),
      responseBytes: bytesOf(host.captured.map(({ received }) => received)),
      definitionTokens: sentTokens,
      metaToolTokens,
      searchAnswerTokens,
      tokensAvoided: visible - (sentTokens - metaToolTokens),
      netSavings: visible - sentTokens - searchAnswerTokens,
      searchAnswersUncounted: 0,
      resultsCounted: 2,
    });
    // A handshake server's result, without the stamp that a host of the stateless era gets on it.
    const results = [echoed, called].map(({ result }) =>
      JSON.stringify({ ...result, resultType: undefined }),
    );
    expect(total?.['resultTokens']).toBe(results.reduce((sum, text) => sum + countTokens(text), 0));

    const byTool = new Map(
      (await reportRows(started.origin, '?by=tool')).map((row) => [row.group, row['requests']]),
    );
    expect(byTool).toEqual(
      new Map([
        [null, 4],
        ['raw__echo', 2],
        ['search_tools', 1],
      ]),
    );
    const byServer = new Map(
      (await reportRows(started.origin, '?by=server')).map((row) => [row.group, row['requests']]),
    );
    expect(byServer.get('raw')).toBe(2);
    const metrics = await exchange(`${started.origin}/metrics`, { method: 'GET' });
    const labels = '{profile="narrow",tokenizer="o200k_base"}';
    expect(metrics.body).toContain(
      `tollgate_definition_tokens_total${labels} ${2 * tokensOf(toolsOf(found))}\n`,
    );
    expect(metrics.body).toContain(`tollgate_search_answer_tokens_total${labels} ${searchAnswerTokens}\n`);
  });

  it('shows no savings where three small tools are listed directly, in either era', async () => {
    await using started = await startGateway(
      { raw: { ...rawServer(), tools: { allow: ['echo', 'exact', 'received'] } } },
      { exposure: { mode: 'auto' } },
    );
    await started.gateway.settled();
    const host = capturingHost(started.origin);
    const list = await host.ask('tools/list');
    expect(toolsOf(list).map(({ name }) => name)).toEqual(['raw__echo', 'raw__exact', 'raw__received']);
    const legacy = await connectLegacy(started.url);
    const same = await legacy.ask('tools/list');
    await legacy.end();
    expect(toolsOf(same)).toEqual(toolsOf(list));
    const [total] = await reportRows(started.origin);
    expect(total).toMatchObject({
      definitionTokens: 2 * tokensOf(toolsOf(list)),
      metaToolTokens: 0,
      searchAnswerTokens: 0,
      tokensAvoided: 0,
      netSavings: 0,
    });
  });
});
