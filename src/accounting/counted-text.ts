import { memberSpans, rootSpan, textAt } from '../wire/index.ts';

/** What of a definition is counted, in the order in which it is written. */
const MEMBERS = ['name', 'description', 'inputSchema'] as const;

/**
 * The text whose tokens are a tool's cost: compact JSON of name, description and input schema, as hosts hand it
 * to a model after they parsed the list. Takes the JSON of a definition as listed, qualified name included.
 *
 * @throws SyntaxError for text that is no JSON
 */
export function countedText(definitionJson: string): string {
  const value = JSON.parse(definitionJson) as Readonly<Record<string, unknown>> | null;
  const picked: Record<string, unknown> = {};
  for (const member of MEMBERS) picked[member] = value?.[member];
  try {
    return JSON.stringify(picked);
  } catch (error) {
    // Parsing has no limit of depth, but writing has; so deep a schema keeps its own spelling.
    if (error instanceof RangeError) return compactMembers(definitionJson);
    throw error;
  }
}

function compactMembers(definitionJson: string): string {
  const bytes = Buffer.from(definitionJson, 'utf8');
  const spans = memberSpans(bytes, rootSpan(bytes));
  const members = MEMBERS.flatMap((member) => {
    const found = spans.get(member);
    return found === undefined ? [] : [`"${member}":${withoutSpaces(textAt(bytes, found))}`];
  });
  return `{${members.join(',')}}`;
}

/** JSON without the white space between its tokens; strings stay as they are. */
const withoutSpaces = (json: string): string =>
  json.replace(/("(?:[^"\\]+|\\.)*")|[ \t\r\n]+/g, (_all, text: string | undefined) => text ?? '');
