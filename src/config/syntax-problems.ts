import type { ErrorCode } from 'yaml';

export interface SyntaxText {
  readonly message: string;
  readonly fix?: string;
}

// The parser's own messages may quote the text around a fault, which may be a secret; these do not.
const TEXTS: Partial<Record<ErrorCode, SyntaxText>> = {
  BAD_SCALAR_START: { message: 'a value cannot start with this character', fix: 'put it in quotes' },
  BLOCK_AS_IMPLICIT_KEY: {
    message: 'a key cannot start here: either ": " stands inside a value, or the indentation is off',
    fix: 'put the value in quotes, or align the keys',
  },
  MULTILINE_IMPLICIT_KEY: { message: 'a key must stand on one line', fix: 'check quotes and indentation' },
  TAB_AS_INDENT: { message: 'a tab cannot indent', fix: 'indent with spaces' },
  MULTIPLE_DOCS: { message: 'a second document starts here', fix: 'remove the "---" line' },
  BAD_INDENT: {
    message: 'the indentation does not fit the lines above',
    fix: 'align it, or close the bracket',
  },
  MISSING_CHAR: { message: 'a closing bracket, comma or colon is missing' },
  UNEXPECTED_TOKEN: { message: 'this is not expected here', fix: 'check brackets, quotes and indentation' },
  BAD_DQ_ESCAPE: {
    message: 'an unknown escape in double quotes',
    fix: 'double the backslash, or use single quotes',
  },
  BAD_ALIAS: { message: 'this alias cannot be used here' },
  IMPOSSIBLE: { message: 'the text cannot be read' },
};

/** Our words for a fault that the YAML parser found. */
export function syntaxText(code: ErrorCode): SyntaxText {
  return TEXTS[code] ?? { message: `the text cannot be read (${code.toLowerCase().replaceAll('_', ' ')})` };
}
