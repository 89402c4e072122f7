import { type Document, LineCounter, parseDocument } from 'yaml';

import { blankJsonComments } from './json-comments.ts';
import type { Locate, Spot } from './report.ts';
import { syntaxText } from './syntax-problems.ts';
import { type TextFault, TreeWalk } from './tree-walk.ts';
import { type Path, pathKey, type Tree } from './tree.ts';

export interface SourceDocument {
  readonly root: Tree;
  readonly faults: readonly TextFault[];
  readonly locate: Locate;
  /** The characters of a scalar as they stand in the file: `1.0` stays `1.0`. */
  sourceOf(path: Path): string | undefined;
}

const RECOVERABLE = new Set(['BAD_SCALAR_START', 'BAD_DQ_ESCAPE', 'MULTIPLE_DOCS']);

/** Reads YAML, or JSON with comments when the file's name says so; faults are returned, never thrown. */
export function readDocument(text: string, fileName: string): SourceDocument {
  const isJson = /\.jsonc?$/i.test(fileName);
  const lines = new LineCounter();
  const document = parseDocument(isJson ? blankJsonComments(text) : text, {
    lineCounter: lines,
    uniqueKeys: false,
    prettyErrors: false,
  });
  const spotOf = (offset: number): Spot => {
    const { line, col } = lines.linePos(Math.min(Math.max(offset, 0), text.length));
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const walk = new TreeWalk(document, spotOf);
  const root = document.contents === null ? null : walk.convert(document.contents, []);
  const faults = [...syntaxFaults(document, walk, spotOf), ...walk.faults];
  return { root, faults, locate: walk.locate, sourceOf: (path) => walk.sources.get(pathKey(path)) };
}

function syntaxFaults(document: Document, walk: TreeWalk, spotOf: (offset: number) => Spot): TextFault[] {
  const byLine = new Map<number, TextFault>();
  for (const { code, pos, message } of document.errors) {
    const openQuote = message.startsWith('Missing closing') ? walk.quoteEndingAt(pos[0]) : undefined;
    const text = openQuote === undefined ? syntaxText(code) : { message: 'this quote is never closed' };
    const spot = spotOf(openQuote ?? pos[0]);
    // One slip often makes the parser complain twice.
    if (byLine.has(spot.line)) continue;
    byLine.set(spot.line, { ...text, ...spot, path: [], breaksRest: !RECOVERABLE.has(code) });
  }
  return [...byLine.values()];
}
