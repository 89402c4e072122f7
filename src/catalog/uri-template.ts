/** Tells whether a concrete URI has the shape of an RFC 6570 template; the percent-encoding is never touched. */
export interface UriTemplateMatcher {
  matches(uri: string): boolean;
  /** Literal characters: of two templates that match, the one with more says more about the URI. */
  readonly literalChars: number;
  /** What every URI that matches begins with. */
  readonly prefix: string;
}

/** False only when no URI can have the shape of both. */
export const mayOverlap = (a: UriTemplateMatcher, b: UriTemplateMatcher): boolean =>
  a.prefix.startsWith(b.prefix) || b.prefix.startsWith(a.prefix);

/** A run of characters that one expression may expand to, nothing included. */
interface Run {
  /** Characters that end the run. */
  readonly stops: string;
  /** The character that a present expansion begins with. */
  readonly lead: string | undefined;
}

type Token = { readonly literal: string } | Run;

const EXPRESSION = /\{([+#./;?&]?)[^{}]*\}/g;

/** Of an expansion; a longer URI is never held against a template, whatever a host sends. */
const MAX_URI_CHARS = 8_192;
const MAX_TEMPLATE_CHARS = 4_096;
const MAX_EXPRESSIONS = 32;

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

/** Why a template is too large to be matched in bounded time; undefined for every one that people write. */
export function templateFault(template: string): string | undefined {
  if (template.length > MAX_TEMPLATE_CHARS) return `it has more than ${MAX_TEMPLATE_CHARS} characters`;
  const expressions = template.match(EXPRESSION)?.length ?? 0;
  return expressions > MAX_EXPRESSIONS ? `it has more than ${MAX_EXPRESSIONS} expressions` : undefined;
}

/**
 * Compiles a template. Matching follows all ways to divide the URI at once, in time proportional to
 * template times URI: a template is an upstream's text, and a backtracking pattern made of it could be
 * made to run for ever.
 */
export function compileUriTemplate(template: string): UriTemplateMatcher {
  const tokens = tokensOf(template);
  const literals = tokens.flatMap((token) => ('literal' in token ? [token.literal] : []));
  const literalChars = literals.reduce((sum, literal) => sum + literal.length, 0);
  const prefix = literalOf(tokens[0]);
  const suffix = literalOf(tokens.at(-1));
  return {
    literalChars,
    prefix,
    matches: (uri) => {
      if (uri.length < literalChars || uri.length > MAX_URI_CHARS) return false;
      if (!uri.startsWith(prefix) || !uri.endsWith(suffix)) return false;
      // The places in the URI up to which the tokens so far can reach.
      let reached: Reached | undefined = new Uint8Array(uri.length + 1);
      reached[0] = 1;
      for (const token of tokens) {
        reached =
          'literal' in token ? afterLiteral(uri, reached, token.literal) : afterRun(uri, reached, token);
        if (reached === undefined) return false;
      }
      return reached[uri.length] === 1;
    },
  };
}

type Reached = Uint8Array<ArrayBuffer>;

const literalOf = (token: Token | undefined): string =>
  token !== undefined && 'literal' in token ? token.literal : '';

function afterLiteral(uri: string, reached: Reached, literal: string): Reached | undefined {
  let next: Reached | undefined;
  for (let at = uri.indexOf(literal); at >= 0; at = uri.indexOf(literal, at + 1)) {
    if (reached[at] !== 1) continue;
    next ??= new Uint8Array(reached.length);
    next[at + literal.length] = 1;
  }
  return next;
}

function afterRun(uri: string, reached: Reached, { lead, stops }: Run): Reached {
  const next = new Uint8Array(reached.length);
  let isOpen = false;
  for (let at = reached.indexOf(1); at <= uri.length; at++) {
    const isBegun = reached[at] === 1;
    if (isOpen || isBegun) next[at] = 1;
    if (isBegun && (lead === undefined || uri[at] === lead)) isOpen = true;
    if (isOpen && at < uri.length && stops.includes(uri.charAt(at))) isOpen = false;
  }
  return next;
}
