/** Tells whether a concrete URI has the shape of an RFC 6570 template; the percent-encoding is never touched. */
export interface UriTemplateMatcher {
  matches(uri: string): boolean;
  /** Literal characters: of two templates that match, the one with more says more about the URI. */
  readonly literalChars: number;
}

/** A run of characters that one expression may expand to. */
interface Run {
  /** Characters that end the run. */
  readonly stops: string;
  /** The character that a present expansion begins with; an expansion with one may also be absent. */
  readonly lead: string | undefined;
}

type Token = { readonly literal: string } | Run;

const EXPRESSION = /\{([+#./;?&]?)[^{}]*\}/g;

/** By operator. https://www.rfc-editor.org/rfc/rfc6570#section-3.2 */
const RUNS: ReadonlyMap<string, Run> = new Map([
  ['', { stops: '/?#', lead: undefined }],
  ['+', { stops: '', lead: undefined }],
  ['#', { stops: '', lead: '#' }],
  ['.', { stops: '/?#', lead: '.' }],
  ['/', { stops: '?#', lead: '/' }],
  [';', { stops: '/?#', lead: ';' }],
  ['?', { stops: '#', lead: '?' }],
  ['&', { stops: '#', lead: '&' }],
]);

function tokensOf(template: string): Token[] {
  const tokens: Token[] = [];
  let from = 0;
  for (const found of template.matchAll(EXPRESSION)) {
    if (found.index > from) tokens.push({ literal: template.slice(from, found.index) });
    const run = RUNS.get(found[1] ?? '');
    if (run !== undefined) tokens.push(run);
    from = found.index + found[0].length;
  }
  if (from < template.length) tokens.push({ literal: template.slice(from) });
  return tokens;
}

/**
 * Compiles a template. Matching follows all ways to divide the URI at once, in time proportional to
 * template times URI: a template is an upstream's text, and a backtracking pattern made of it could be
 * made to run for ever.
 */
export function compileUriTemplate(template: string): UriTemplateMatcher {
  const tokens = tokensOf(template);
  const literalChars = tokens.reduce(
    (sum, token) => sum + ('literal' in token ? token.literal.length : 0),
    0,
  );
  const first = tokens[0];
  const prefix = first !== undefined && 'literal' in first ? first.literal : '';
  return {
    literalChars,
    matches: (uri) => {
      if (!uri.startsWith(prefix)) return false;
      let reached = new Uint8Array(uri.length + 1);
      reached[0] = 1;
      for (const token of tokens) {
        reached =
          'literal' in token ? stepLiteral(uri, reached, token.literal) : stepRun(uri, reached, token);
      }
      return reached[uri.length] === 1;
    },
  };
}

function stepLiteral(uri: string, reached: Uint8Array, literal: string): Uint8Array<ArrayBuffer> {
  const next = new Uint8Array(reached.length);
  for (let at = 0; at + literal.length <= uri.length; at++) {
    if (reached[at] === 1 && uri.startsWith(literal, at)) next[at + literal.length] = 1;
  }
  return next;
}

function stepRun(uri: string, reached: Uint8Array, run: Run): Uint8Array<ArrayBuffer> {
  const next = new Uint8Array(reached.length);
  let isOpen = false;
  for (let at = 0; at <= uri.length; at++) {
    if (isOpen) next[at] = 1;
    if (reached[at] === 1) {
      if (run.lead === undefined || uri[at] === run.lead) isOpen = true;
      if (run.lead !== undefined) next[at] = 1;
    }
    if (at < uri.length && run.stops.includes(uri[at] ?? ''))
      isOpen = isOpen && isLeadAt(uri, reached, run, at);
  }
  return next;
}

/** A lead that is itself a stop (as `?` of a query) may stand at the very start of its run. */
const isLeadAt = (uri: string, reached: Uint8Array, run: Run, at: number): boolean =>
  reached[at] === 1 && run.lead !== undefined && uri[at] === run.lead;
