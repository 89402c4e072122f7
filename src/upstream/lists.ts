import {
  asGatewayError,
  type Clock,
  type DefinitionKind,
  type Diagnostic,
  LISTS,
  type RawDefinition,
  type ServerDefinitions,
  type ServerId,
} from '../domain/index.ts';
import {
  childMembers,
  elementSpans,
  type Frame,
  isStringAt,
  JsonScanError,
  stringAt,
  type Span,
} from '../wire/index.ts';
import type { Channel } from './channel.ts';
import type { UpstreamIdentity } from './connection.ts';
import { exchange } from './exchange.ts';
import { errorCodeOf, errorMessageOf, METHOD_NOT_FOUND } from './failures.ts';

export interface ListDeps {
  readonly server: ServerId;
  readonly channel: Pick<Channel, 'call'>;
  readonly identity: UpstreamIdentity;
  /** `_meta` of the gateway's own requests in the server's era. */
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  /** For all pages of one list. */
  readonly listMs: number;
  readonly clock: Pick<Clock, 'now'>;
}

const MAX_ENTRIES = 10_000;
const MAX_PAGES = 1_000;

/** The capability under which a server advertises each kind. */
const CAPABILITY: Readonly<Record<DefinitionKind, string>> = {
  tool: 'tools',
  prompt: 'prompts',
  resource: 'resources',
  template: 'resources',
};

/** Walks the lists of the kinds that the server advertises; a list that fails costs the others nothing. */
export async function walkLists(
  deps: ListDeps,
  kinds: readonly DefinitionKind[],
): Promise<ServerDefinitions> {
  const advertised = kinds.filter((kind) => deps.identity.capabilities[CAPABILITY[kind]] !== undefined);
  const walks = await Promise.all(advertised.map((kind) => walk(deps, kind)));
  return {
    entries: walks.flatMap(({ entries }) => entries),
    complete: walks.every(({ complete }) => complete),
    diagnostics: walks.flatMap(({ diagnostics }) => diagnostics),
  };
}

interface Walk {
  readonly kind: DefinitionKind;
  readonly entries: RawDefinition[];
  readonly diagnostics: Diagnostic[];
  /** Entries of earlier pages, so that a server that repeats a page does not multiply them. */
  readonly seen: Set<string>;
  complete: boolean;
}

async function walk(deps: ListDeps, kind: DefinitionKind): Promise<Walk> {
  const state: Walk = { kind, entries: [], diagnostics: [], seen: new Set(), complete: true };
  const stop = (reason: string): Walk => {
    state.complete = false;
    state.diagnostics.push({ server: deps.server, kind, reason });
    return state;
  };
  const cursors = new Set<string>();
  const endsAtMs = deps.clock.now() + deps.listMs;
  let cursor: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const page = await readPage(deps, kind, cursor, endsAtMs - deps.clock.now());
    if (page.kind === 'failed') return stop(page.reason);
    if (page.kind === 'unknown') {
      const reason = `${LISTS[kind].method} is advertised, but the server does not know it`;
      state.diagnostics.push({ server: deps.server, kind, reason });
      return state;
    }
    take(state, page.entries);
    if (state.entries.length > MAX_ENTRIES) {
      state.entries.length = MAX_ENTRIES;
      return stop(`${LISTS[kind].method} has more than ${MAX_ENTRIES} entries`);
    }
    if (page.isOdd) return stop(`${LISTS[kind].method} brought a cursor that is no string`);
    cursor = page.nextCursor;
    if (cursor === undefined) return state;
    if (cursors.has(cursor))
      return stop(`${LISTS[kind].method} repeats the cursor ${JSON.stringify(cursor)}`);
    cursors.add(cursor);
  }
  return stop(`${LISTS[kind].method} has more than ${MAX_PAGES} pages`);
}

function take(state: Walk, entries: readonly Buffer[]): void {
  const texts = entries.map((json) => json.toString('latin1'));
  for (const [index, json] of entries.entries()) {
    // The same entry twice on one page is the catalog's to judge.
    if (!state.seen.has(texts[index] ?? '')) state.entries.push({ kind: state.kind, json });
  }
  for (const text of texts) state.seen.add(text);
}

type Page =
  | {
      readonly kind: 'page';
      readonly entries: readonly Buffer[];
      readonly nextCursor: string | undefined;
      readonly isOdd: boolean;
    }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'failed'; readonly reason: string };

async function readPage(
  deps: ListDeps,
  kind: DefinitionKind,
  cursor: string | undefined,
  leftMs: number,
): Promise<Page> {
  const { method } = LISTS[kind];
  if (leftMs <= 0) return { kind: 'failed', reason: `${method} did not end within ${deps.listMs} ms` };
  const params = {
    ...(cursor === undefined ? {} : { cursor }),
    ...(deps.meta === undefined ? {} : { _meta: deps.meta }),
  };
  try {
    const { frame } = await exchange(deps.channel, { method, params, idleMs: leftMs, maxMs: leftMs });
    return frame.kind === 'error' ? refusedPage(frame, method) : pageIn(frame, kind);
  } catch (error) {
    if (error instanceof JsonScanError) return { kind: 'failed', reason: `${method}: ${error.message}` };
    return { kind: 'failed', reason: `${method}: ${asGatewayError(error, 'failed').message}` };
  }
}

function refusedPage(frame: Frame, method: string): Page {
  const code = errorCodeOf(frame);
  if (code === METHOD_NOT_FOUND) return { kind: 'unknown' };
  return { kind: 'failed', reason: `${method} was refused: ${errorMessageOf(frame)} (${code ?? 'no code'})` };
}

function pageIn(frame: Frame, kind: DefinitionKind): Page {
  const { method, member } = LISTS[kind];
  const { bytes } = frame;
  const result = childMembers(bytes, frame.members.get('result'));
  if (result === undefined) return { kind: 'failed', reason: `${method} brought a result that is no object` };
  const list = result.get(member);
  const isNull = list === undefined || isNullAt(bytes, list);
  if (!isNull && bytes[list.start] !== OPEN_ARRAY) {
    return { kind: 'failed', reason: `${method} brought a "${member}" that is no list` };
  }
  const next = result.get('nextCursor');
  const entries = isNull ? [] : elementSpans(bytes, list).map(({ start, end }) => bytes.subarray(start, end));
  const isOdd = next !== undefined && !isStringAt(bytes, next) && !isNullAt(bytes, next);
  return { kind: 'page', entries, nextCursor: stringAt(bytes, next), isOdd };
}

const OPEN_ARRAY = 0x5b;
const LOWER_N = 0x6e;
const isNullAt = (bytes: Buffer, span: Span): boolean => bytes[span.start] === LOWER_N;
