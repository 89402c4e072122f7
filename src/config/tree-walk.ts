import { type Document, isAlias, isMap, isScalar, isSeq, type Node, Scalar } from 'yaml';

import type { Locate, Spot } from './report.ts';
import type { SyntaxText } from './syntax-problems.ts';
import { type Path, pathKey, type Tree } from './tree.ts';

/** A fault of the text itself. */
export interface TextFault extends SyntaxText, Spot {
  readonly path: Path;
  /** What follows a broken bracket or quote is a guess of the parser's, and not worth complaints. */
  readonly breaksRest: boolean;
}

interface KeyAndValue {
  readonly key: unknown;
  readonly value: unknown;
}

// Generous for a file that a person keeps, small for a few lines of aliases that multiply.
const MAX_NODES = 200_000;

interface Offsets {
  readonly key: number | undefined;
  readonly value: number;
}

/** Converts the parser's nodes to a `Tree`, remembering where each key and value stands. */
export class TreeWalk {
  readonly sources: Map<string, string> = new Map();
  readonly faults: TextFault[] = [];
  private readonly offsets = new Map<string, Offsets>();
  private readonly quotes: { readonly start: number; readonly end: number }[] = [];
  private readonly open = new Set<Node>();
  private nodes = 0;
  private readonly document: Document;
  private readonly spotOf: (offset: number) => Spot;

  constructor(document: Document, spotOf: (offset: number) => Spot) {
    this.document = document;
    this.spotOf = spotOf;
  }

  readonly locate: Locate = (path, at) => {
    for (let depth = path.length; depth >= 0; depth--) {
      const offsets = this.offsets.get(pathKey(path.slice(0, depth)));
      // A key that is missing is reported at the key it is missing under.
      const wanted = depth === path.length ? at : 'key';
      if (offsets !== undefined)
        return this.spotOf((wanted === 'key' ? offsets.key : undefined) ?? offsets.value);
    }
    return { line: 1, column: 1 };
  };

  quoteEndingAt(offset: number): number | undefined {
    return this.quotes.find((quote) => quote.end === offset)?.start;
  }

  convert(node: Node, path: Path, keyOffset?: number): Tree {
    const start = node.range?.[0] ?? 0;
    this.offsets.set(pathKey(path), { key: keyOffset, value: start });
    if (++this.nodes > MAX_NODES || this.open.has(node)) {
      const message = this.open.has(node) ? 'an alias contains itself' : 'aliases expand to too many values';
      if (this.nodes <= MAX_NODES + 1) this.fault(start, path, { message });
      return null;
    }
    if (isAlias(node)) return this.convertAlias(node.resolve(this.document), start, path, keyOffset);
    if (isScalar(node)) return this.convertScalar(node, path);
    this.open.add(node);
    const tree = isMap(node) ? this.convertMap(node.items, path) : this.convertSeq(node, path);
    this.open.delete(node);
    return tree;
  }

  private convertAlias(target: Node | undefined, start: number, path: Path, keyOffset?: number): Tree {
    if (target !== undefined) return this.convert(target, path, keyOffset);
    this.fault(start, path, {
      message: 'no anchor of this name stands above',
      fix: 'put * in quotes if it is text',
    });
    return null;
  }

  private convertScalar(node: Scalar, path: Path): Tree {
    const { value, source, range, type } = node;
    if (range && (type === Scalar.QUOTE_DOUBLE || type === Scalar.QUOTE_SINGLE)) {
      this.quotes.push({ start: range[0], end: range[1] });
    }
    if (typeof value === 'number' || typeof value === 'boolean') {
      this.sources.set(pathKey(path), source ?? String(value));
      return value;
    }
    return typeof value === 'string' ? value : null;
  }

  private convertSeq(node: Node, path: Path): Tree {
    const items = isSeq(node) ? node.items : [];
    return items.map((item, index) => this.convert(item as Node, [...path, index]));
  }

  private convertMap(pairs: readonly KeyAndValue[], path: Path): Map<string, Tree> {
    const map = new Map<string, Tree>();
    const merged: (Node | null)[] = [];
    for (const { key, value } of pairs) {
      if (isScalar(key) && key.type === Scalar.PLAIN && key.source === '<<')
        merged.push(value as Node | null);
      else if (isScalar(key)) this.addPair(map, key, value as Node | null, path);
      else
        this.fault((key as Node | null)?.range?.[0] ?? this.offsetOf(path), path, {
          message: 'a key must be text',
        });
    }
    for (const node of merged) this.mergeInto(map, node, path);
    return map;
  }

  private addPair(map: Map<string, Tree>, key: Scalar, value: Node | null, path: Path): void {
    const name = key.source ?? String(key.value);
    const offset = key.range?.[0] ?? this.offsetOf(path);
    const inner = [...path, name];
    this.checkKey(name, map, offset, inner);
    if (value === null) this.offsets.set(pathKey(inner), { key: offset, value: offset });
    map.set(name, value === null ? null : this.convert(value, inner, offset));
  }

  private offsetOf(path: Path): number {
    return this.offsets.get(pathKey(path))?.value ?? 0;
  }

  private checkKey(name: string, map: ReadonlyMap<string, Tree>, offset: number, inner: Path): void {
    if (name === '__proto__') this.fault(offset, inner, { message: 'this name cannot be used as a key' });
    if (!map.has(name)) return;
    const first = this.locate(inner, 'key');
    this.fault(offset, inner, {
      message: `the key stands here a second time; the first is on line ${first.line}`,
    });
  }

  /** `<<: *name` fills in what the map does not say itself. */
  private mergeInto(map: Map<string, Tree>, node: Node | null, path: Path): void {
    const source = isAlias(node) ? node.resolve(this.document) : node;
    const isUsable = isSeq(source) || isMap(source);
    if (!isUsable || this.open.has(source)) {
      const message = isUsable ? 'an alias contains itself' : '"<<" takes the alias of a mapping';
      this.fault(node?.range?.[0] ?? this.offsetOf(path), path, { message });
      return;
    }
    this.open.add(source);
    if (isSeq(source)) for (const item of source.items) this.mergeInto(map, item as Node | null, path);
    else this.fillFrom(source.items, map, path);
    this.open.delete(source);
  }

  private fillFrom(pairs: readonly KeyAndValue[], map: Map<string, Tree>, path: Path): void {
    const missing = pairs.filter(({ key }) => !map.has(String(isScalar(key) ? key.value : key)));
    for (const [key, value] of this.convertMap(missing, path)) map.set(key, value);
  }

  private fault(offset: number, path: Path, text: SyntaxText): void {
    this.faults.push({ ...text, ...this.spotOf(offset), path, breaksRest: false });
  }
}
