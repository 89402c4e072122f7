import type { TokenCounter } from '../accounting/index.ts';
import type { Catalog, CatalogEntry, Snapshot } from '../catalog/index.ts';
import type { MetaToolNames } from '../config/index.ts';
import { asGatewayError, GatewayError, type Principal } from '../domain/index.ts';
import type { Policy } from '../policy/index.ts';
import type { Exchange, HostRequest, Router } from '../routing/index.ts';
import { type SearchHit, signatureOf } from '../search/index.ts';
import { JsonScanError, resultFrame } from '../wire/index.ts';
import { argumentFaults } from './argument-faults.ts';
import { withCounts } from './counted.ts';
import { innerCall } from './inner-call.ts';
import { type InstructionsDeps, mergeInstructions } from './instructions.ts';
import type { Offerings } from './offerings.ts';
import { readSearch, type SearchArguments } from './search-arguments.ts';
import { type FoundText, searchText } from './search-answer.ts';
import { schemaTexts } from './schema-texts.ts';
import type { Searcher } from './searcher.ts';
import { shortened } from './short-text.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What a search found, with the answer that a model is given. */
export interface Found extends FoundText {
  readonly hits: readonly SearchHit[];
}

/** The gateway's own tools: one that finds tools, and one that calls whatever is visible. */
export interface MetaTools {
  /** Serves the request if it calls one of them, and says whether it did; the exchange is then always ended. */
  serve(request: HostRequest, exchange: Exchange): boolean;
  search(principal: Principal, asked: SearchArguments): Promise<Found>;
}

export interface MetaToolsDeps {
  readonly catalog: Pick<Catalog, 'current' | 'settled'>;
  readonly policy: Policy;
  readonly router: Pick<Router, 'relay'>;
  readonly offerings: Pick<Offerings, 'exposureOf' | 'view'>;
  readonly searcher: Searcher;
  readonly counter: Pick<TokenCounter, 'count'>;
  readonly instructions: InstructionsDeps;
  readonly serverName: (entry: CatalogEntry) => string;
  /** JSON text of the gateway's own identity, which modern results carry. */
  readonly serverInfoText: string;
  /** How long a first search waits for servers that have not listed yet. */
  readonly settleMs: number;
}

/** What a refused call may cost: its schema in full, or what fits. */
const MAX_NEAR = 3;

export function createMetaTools(deps: MetaToolsDeps): MetaTools {
  return new Serving(deps);
}

class Serving implements MetaTools {
  readonly #deps: MetaToolsDeps;

  constructor(deps: MetaToolsDeps) {
    this.#deps = deps;
  }

  serve(request: HostRequest, exchange: Exchange): boolean {
    const { offerings } = this.#deps;
    const { principal } = request.host;
    const name = request.params['name'];
    const { metaTools, mode } = offerings.exposureOf(principal);
    if (mode === 'direct') return false;
    if (name !== metaTools.search && name !== metaTools.call) return false;
    // Where no meta-tool is listed, a name that a server lists means what it lists.
    const isListed = offerings.view(principal).choice.shownAs === 'search';
    if (!isListed && this.#visible(principal, name) !== undefined) return false;
    exchange.notes.name = name;
    const serving =
      name === metaTools.search
        ? this.#serveSearch(request, exchange)
        : this.#serveCall(request, exchange, metaTools);
    serving.catch((thrown: unknown) => exchange.fail(faultOf(thrown)));
    return true;
  }

  async search(principal: Principal, asked: SearchArguments): Promise<Found> {
    const { catalog, searcher, offerings, counter, instructions } = this.#deps;
    const snapshot = catalog.current();
    const { queries, server, limit } = asked;
    const request = { queries, limit, ...(server === undefined ? {} : { server }) };
    const answer = searcher.search(principal, snapshot, request);
    const { searchAnswerTokens: allowanceTokens, metaTools } = offerings.exposureOf(principal);
    const told = mergeInstructions(instructions, principal, snapshot) ?? '';
    const instructionsOf = ({ document }: SearchHit): string | undefined => {
      const text = this.#instructionsOf(snapshot, document.key);
      return text === '' || told.includes(text) ? undefined : text;
    };
    const input = { asked, answer, allowanceTokens, callName: metaTools.call, instructionsOf };
    const found = await withCounts(counter, (count) => searchText(input, count));
    return { ...found, hits: answer.hits };
  }

  #instructionsOf(snapshot: Snapshot, key: string): string {
    const owner = snapshot.tool(key)?.server;
    return (snapshot.servers.find(({ id }) => id === owner)?.instructions ?? '').trim();
  }

  #visible(principal: Principal, name: string): CatalogEntry | undefined {
    const entry = this.#deps.catalog.current().tool(name);
    return entry !== undefined && this.#deps.policy.decide(principal, entry).allowed ? entry : undefined;
  }

  async #serveSearch(request: HostRequest, exchange: Exchange): Promise<void> {
    const { catalog, offerings, settleMs } = this.#deps;
    await catalog.settled(settleMs);
    const asked = readSearch(request.params['arguments']);
    if (typeof asked === 'string') return this.#refuse(request, exchange, `Cannot search: ${asked}.`);
    const { text, structured } = await this.search(request.host.principal, asked);
    exchange.notes.searchAnswer = text;
    exchange.notes.tool = offerings.exposureOf(request.host.principal).metaTools.search;
    this.#answer(request, exchange, { content: [{ type: 'text', text }], structuredContent: structured });
  }

  async #serveCall(request: HostRequest, exchange: Exchange, names: MetaToolNames): Promise<void> {
    const call = innerCall(request);
    if (typeof call === 'string') return this.#refuse(request, exchange, `Cannot call: ${call}.`);
    const { principal } = request.host;
    const entry = this.#visible(principal, call.name);
    const faults = entry === undefined ? [] : argumentFaults(entry.value['inputSchema'], call.arguments);
    if (entry !== undefined && faults.length > 0) {
      exchange.notes.tool = entry.exposed;
      exchange.notes.upstream = entry.server;
      const what = `The arguments do not fit ${entry.exposed}: ${faults.join('; ')}.`;
      return this.#refuse(request, exchange, await this.#withSchema(principal, entry, what));
    }
    const refuseUnknown = (): void =>
      this.#refuse(request, exchange, this.#unknownText(principal, call.name, names));
    this.#deps.router.relay(call.request, answeringUnknown(exchange, refuseUnknown));
  }

  /** Enough of the schema to call the tool right the next time, as far as the allowance of an answer goes. */
  async #withSchema(principal: Principal, entry: CatalogEntry, what: string): Promise<string> {
    const { offerings, counter, serverName } = this.#deps;
    const { searchAnswerTokens } = offerings.exposureOf(principal);
    const { inputSchema, description } = entry.value;
    const document = {
      key: entry.exposed,
      server: serverName(entry),
      name: entry.native,
      description: typeof description === 'string' ? description : '',
      inputSchema,
    };
    const schemas = schemaTexts(entry);
    const texts = [...schemas, signatureOf(document)].map((schema) => `${what}\n${schema}`);
    return withCounts(
      counter,
      (count) => texts.find((text) => count(text) <= searchAnswerTokens) ?? texts.at(-1) ?? what,
    );
  }

  /** Suggests, never guesses; what is hidden is not among what is suggested. */
  #unknownText(principal: Principal, name: string, names: MetaToolNames): string {
    const { searcher, catalog } = this.#deps;
    const { hits } = searcher.search(principal, catalog.current(), { queries: [name], limit: MAX_NEAR });
    const near = hits.map(({ document }) => document.key);
    const advice = near.length === 0 ? `Find tools with ${names.search}.` : `Near it: ${near.join(', ')}.`;
    return `No tool is called ${JSON.stringify(shortened(name, 128))}. ${advice}`;
  }

  #refuse(request: HostRequest, exchange: Exchange, text: string): void {
    this.#answer(request, exchange, { content: [{ type: 'text', text }], isError: true });
  }

  #answer(request: HostRequest, exchange: Exchange, result: Fields): void {
    const isModern = request.host.era === 'modern';
    const text = JSON.stringify(isModern ? { resultType: 'complete', ...result } : result);
    const meta = `,"_meta":{"io.modelcontextprotocol/serverInfo":${this.#deps.serverInfoText}}}`;
    const resultText = isModern ? text.slice(0, -1) + meta : text;
    exchange.respond(Buffer.from(resultFrame(request.idText, resultText)), 200);
  }
}

/** The same exchange, but for a name that leads nowhere: that is told in a way in which a model can go on. */
function answeringUnknown(exchange: Exchange, onUnknown: () => void): Exchange {
  return {
    notes: exchange.notes,
    message: (frame) => exchange.message(frame),
    ask: (frame, onAnswer) => exchange.ask(frame, onAnswer),
    respond: (frame, status) => exchange.respond(frame, status),
    respondStart: (lengthBytes) => exchange.respondStart(lengthBytes),
    respondChunk: (chunk) => exchange.respondChunk(chunk),
    respondEnd: () => exchange.respondEnd(),
    fail: (error) => (error.code === 'NAME_UNKNOWN' ? onUnknown() : exchange.fail(error)),
    rest: () => exchange.rest(),
    onCancel: (listener) => exchange.onCancel(listener),
    onDrain: (listener) => exchange.onDrain(listener),
  };
}

function faultOf(thrown: unknown): GatewayError {
  if (thrown instanceof JsonScanError)
    return new GatewayError('REQUEST_INVALID', `Invalid request: ${thrown.message}`);
  return asGatewayError(thrown, 'The request could not be served');
}
