import type { Era } from '../domain/index.ts';
import type { SqlRow } from '../state/index.ts';
import type { TextTokens } from './text-tokens.ts';

/** One request of a host, answered. Never its arguments, and never its result. */
export interface LedgerRow {
  /** When it arrived, in milliseconds since the epoch. */
  readonly timeMs: number;
  readonly principal: string;
  readonly profile: string;
  /** Name and version as the host gives them; for reading only. */
  readonly client?: string | undefined;
  readonly era: Era;
  readonly method: string;
  /** The name under which the tool is exposed, for a call through a meta-tool, too. */
  readonly tool?: string | undefined;
  readonly server?: string | undefined;
  /** Tokens of all tool definitions in this answer, those of meta-tools included. */
  readonly definitionTokens?: number | undefined;
  /** Tokens of the definitions of meta-tools among them. */
  readonly metaToolTokens?: number | undefined;
  /** What the full definitions of all visible tools would have cost; once for a list, on its first page. */
  readonly visibleTokens?: number | undefined;
  readonly requestBytes: number;
  readonly responseBytes: number;
  readonly durationMs: number;
  /** Answered from a cache of the gateway's. */
  readonly isCached?: boolean | undefined;
  /** `ok`, `cancelled`, or what went wrong. */
  readonly outcome: string;
}

export const INSERT_ROW = `
  INSERT INTO requests (
    time_ms, principal, profile, client, era, method, tool, server, tokenizer,
    definition_tokens, meta_tool_tokens, visible_tokens, search_answer_tokens, result_tokens,
    request_bytes, response_bytes, duration_ms, is_cached, outcome
  ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

// Some of these are written by hosts, and a row is kept for months.
const MAX_NAME_LENGTH = 128;

const name = (text: string): string =>
  text.length > MAX_NAME_LENGTH ? `${text.slice(0, MAX_NAME_LENGTH)}…` : text;
const optionalName = (text: string | undefined): string | null => (text === undefined ? null : name(text));

export function valuesOf(row: LedgerRow, tokenizer: string, tokens: TextTokens): SqlRow {
  return [
    Math.round(row.timeMs),
    name(row.principal),
    name(row.profile),
    optionalName(row.client),
    row.era,
    name(row.method),
    optionalName(row.tool),
    optionalName(row.server),
    tokenizer,
    row.definitionTokens ?? 0,
    row.metaToolTokens ?? 0,
    row.visibleTokens ?? 0,
    tokens.searchAnswer === undefined ? 0 : tokens.searchAnswer,
    tokens.result ?? null,
    row.requestBytes,
    row.responseBytes,
    row.durationMs,
    row.isCached === true ? 1 : 0,
    name(row.outcome),
  ];
}
