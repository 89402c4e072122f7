import { readLines } from './chapter.ts';
import { splitText } from './split-text.ts';

/** A piece of a chapter, small enough to hand to a model, that starts and ends between words. */
export interface Passage {
  /** The nearest heading above the text; empty before the first. */
  readonly heading: string;
  readonly text: string;
}

/** About 180 tokens of English: five passages are a useful answer and still a small one. */
export const PASSAGE_CHARS = 800;

interface Block {
  readonly text: string;
  readonly fenced: boolean;
}

/**
 * Cuts a chapter along its headings, then along its paragraphs. Neighbouring paragraphs of one section
 * share a passage while they fit; a code block or a paragraph is split only when it alone is too long.
 */
export function cutPassages(markdown: string, limitChars: number = PASSAGE_CHARS): Passage[] {
  return readSections(markdown).flatMap(({ heading, blocks }) =>
    joinBlocks(
      blocks.flatMap((block) => fitBlock(block, limitChars)),
      limitChars,
    ).map((text) => ({ heading, text })),
  );
}

interface Section {
  readonly heading: string;
  readonly blocks: Block[];
}

function readSections(markdown: string): Section[] {
  const sections: Section[] = [{ heading: '', blocks: [] }];
  let lines: string[] = [];
  let fenced = false;
  const endBlock = () => {
    const text = lines.join('\n').trimEnd();
    if (text.trim() !== '') sections.at(-1)?.blocks.push({ text, fenced });
    lines = [];
  };
  for (const line of readLines(markdown)) {
    if (line.heading !== undefined) {
      endBlock();
      sections.push({ heading: line.heading.text, blocks: [] });
      continue;
    }
    const separates = !line.fenced && line.text.trim() === '';
    if (separates || line.fenced !== fenced) endBlock();
    fenced = line.fenced;
    if (!separates) lines.push(line.text);
  }
  endBlock();
  return sections;
}

/** A code block that is split keeps a fence around each part, so that every passage is whole Markdown. */
function fitBlock(block: Block, limitChars: number): string[] {
  if (block.text.length <= limitChars) return [block.text];
  if (!block.fenced) return splitText(block.text.trim(), limitChars);
  const [opening = '', ...rest] = block.text.split('\n');
  const closing = /^ {0,3}(`{3,}|~{3,})/.exec(opening)?.[1] ?? '```';
  const body = rest.at(-1)?.trim() === closing ? rest.slice(0, -1) : rest;
  const roomChars = Math.max(1, limitChars - opening.length - closing.length - 2);
  return splitText(body.join('\n'), roomChars).map((part) => `${opening}\n${part}\n${closing}`);
}

function joinBlocks(blocks: readonly string[], limitChars: number): string[] {
  const joined: string[] = [];
  for (const block of blocks) {
    const last = joined.at(-1);
    if (last !== undefined && last.length + 2 + block.length <= limitChars) {
      joined[joined.length - 1] = `${last}\n\n${block}`;
    } else {
      joined.push(block);
    }
  }
  return joined;
}
