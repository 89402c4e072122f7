import { renderAnswer, type SearchAnswer, type SearchHit, signatureOf } from '../search/index.ts';
import { MAX_LIMIT } from './meta-tools.ts';
import type { SearchArguments } from './search-arguments.ts';
import { shortened } from './short-text.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A search's answer for a model, and the same facts for programs. */
export interface FoundText {
  readonly text: string;
  readonly tokens: number;
  readonly structured: Fields;
}

export interface AnswerInput {
  readonly asked: SearchArguments;
  readonly answer: SearchAnswer;
  readonly allowanceTokens: number;
  /** The name of the tool that calls tools. */
  readonly callName: string;
  /** What a server says of itself, where the host was not told all of it. */
  readonly instructionsOf: (hit: SearchHit) => string | undefined;
}

const NOTE_CHARS = 400;

/** Writes an answer that costs no more than its allowance. */
export function searchText(input: AnswerInput, count: (text: string) => number): FoundText {
  return input.answer.hits.length === 0 ? nothingText(input, count) : hitsText(input, count);
}

function hitsText(input: AnswerInput, count: (text: string) => number): FoundText {
  const { asked, answer, allowanceTokens } = input;
  const tail = tailOf(input);
  const withTail = (body: string): string => [body, tail].filter((part) => part !== '').join('\n\n');
  const counted = (body: string): number => count(withTail(body));
  const body = bodyOf(input, counted);
  const notes = notesOf(input, answer.hits.slice(0, Math.max(1, body.full)));
  const noted = notes === '' ? body.text : `${body.text}\n\n${notes}`;
  const isNoted = notes !== '' && counted(noted) <= allowanceTokens;
  const text = withTail(isNoted ? noted : body.text);
  const structured = {
    tools: answer.hits
      .slice(0, body.shown)
      .map((hit, at) => factsOf(hit, at < body.full, asked.detail === 'names')),
    ...(answer.unanswered.length === 0
      ? {}
      : { unanswered: answer.unanswered.map((at) => asked.queries[at]) }),
    ...(isNoted ? { notes } : {}),
  };
  return { text, tokens: count(text), structured };
}

interface Body {
  readonly text: string;
  readonly shown: number;
  readonly full: number;
}

function bodyOf({ asked, answer, allowanceTokens }: AnswerInput, count: (text: string) => number): Body {
  const { hits } = answer;
  if (asked.detail !== 'names') {
    const full = asked.detail === undefined ? undefined : asked.detail === 'full' ? hits.length : 0;
    return renderAnswer(hits, allowanceTokens, count, full);
  }
  const names = hits.map(({ document }) => document.key);
  while (names.length > 1 && count(names.join('\n')) > allowanceTokens) names.pop();
  return { text: names.join('\n'), shown: names.length, full: 0 };
}

/** What to do next, in few words. */
function tailOf({ asked, answer, callName }: AnswerInput): string {
  const unanswered = answer.unanswered.map((at) => JSON.stringify(shortened(asked.queries[at] ?? '', 60)));
  const parts = unanswered.length === 0 ? [] : [`Nothing for ${unanswered.join(', ')}.`];
  parts.push(`Run with ${callName}.`);
  if (answer.hits.length >= asked.limit && asked.limit < MAX_LIMIT) parts.push('More: raise limit.');
  return parts.join(' ');
}

/** What the servers of the best hits say about their tools; a host with many servers is told only part of it. */
function notesOf({ instructionsOf }: AnswerInput, hits: readonly SearchHit[]): string {
  const notes = new Map<string, string>();
  for (const hit of hits) {
    const instructions = instructionsOf(hit);
    if (instructions !== undefined) notes.set(hit.document.server, shortened(instructions, NOTE_CHARS));
  }
  return [...notes].map(([server, text]) => `Server ${server} says: ${text}`).join('\n');
}

function factsOf({ document, twins }: SearchHit, isFull: boolean, isName: boolean): Fields {
  const { key, description, inputSchema } = document;
  return {
    name: key,
    ...(isName
      ? {}
      : isFull
        ? { description, inputSchema: inputSchema ?? { type: 'object' } }
        : { signature: signatureOf(document) }),
    ...(twins.length === 0 ? {} : { also: twins.map((twin) => twin.key) }),
  };
}

/** Says what there is, so that the next search can be a better one. */
function nothingText(
  { asked, answer, allowanceTokens }: AnswerInput,
  count: (text: string) => number,
): FoundText {
  const { servers } = answer;
  const isOther = asked.server !== undefined && !servers.some(({ server }) => isSame(server, asked.server));
  const why = isOther
    ? `There is no server ${JSON.stringify(shortened(asked.server ?? '', 60))}.`
    : 'Nothing matches. Name the service, the action and its object in other words.';
  const text = (shown: number): string => {
    const named = servers.slice(0, shown).map(({ server, tools }) => `${server} (${tools})`);
    const others = servers.length - named.length;
    if (servers.length === 0) return `${why} There are no tools.`;
    return `${why} Servers and their tools: ${named.join(', ')}${others > 0 ? `, ${others} more` : ''}.`;
  };
  let shown = servers.length;
  while (shown > 0 && count(text(shown)) > allowanceTokens) shown = Math.floor(shown / 2);
  const final = text(shown);
  return { text: final, tokens: count(final), structured: { tools: [], servers: servers.slice(0, shown) } };
}

const isSame = (one: string, other: string | undefined): boolean =>
  one.toLowerCase() === other?.toLowerCase();
