/** One Markdown file of the site, as it was read at start. */
export interface Chapter {
  readonly track: string;
  /** The file's name without `.md`, such as `22-rate-limiter`. */
  readonly id: string;
  readonly uri: string;
  readonly title: string;
  /** The `##` headings in their order: enough for a reader to judge the chapter without opening it. */
  readonly sections: readonly string[];
  /** The file's text, unchanged. */
  readonly markdown: string;
}

/** A line of a chapter with what it means for cutting: a heading, or text that may stand in a code block. */
export interface MarkdownLine {
  readonly text: string;
  readonly heading?: { readonly level: number; readonly text: string };
  /** True inside a fenced block, its two fence lines included. */
  readonly fenced: boolean;
}

export function parseChapter(track: string, id: string, markdown: string): Chapter {
  const headings = readLines(markdown).flatMap((line) => (line.heading === undefined ? [] : [line.heading]));
  return {
    track,
    id,
    uri: chapterUri(track, id),
    title: headings.find((heading) => heading.level === 1)?.text ?? id,
    sections: headings.filter((heading) => heading.level === 2).map((heading) => heading.text),
    markdown,
  };
}

/** Encoded, because folder and file names may hold what a URI may not. */
export function chapterUri(track: string, id: string): string {
  return `chapter://${encodeURIComponent(track)}/${encodeURIComponent(id)}`;
}

/**
 * Splits Markdown into lines, without front matter. A `#` inside a fenced block is a comment of some
 * language and not a heading, so fences are followed here once for everyone.
 */
export function readLines(markdown: string): MarkdownLine[] {
  const body = markdown.replace(/^\uFEFF/, '').replace(/^---\r?\n[\s\S]*?\r?\n---[ \t]*(?:\r?\n|$)/, '');
  const lines: MarkdownLine[] = [];
  let fence: string | undefined;
  for (const text of body.split(/\r?\n/)) {
    const marker = /^ {0,3}(`{3,}|~{3,})/.exec(text)?.[1];
    if (fence !== undefined) {
      lines.push({ text, fenced: true });
      if (marker !== undefined && closesFence(marker, fence, text)) fence = undefined;
    } else if (marker !== undefined) {
      fence = marker;
      lines.push({ text, fenced: true });
    } else {
      lines.push(plainLine(text));
    }
  }
  return lines;
}

function closesFence(marker: string, fence: string, text: string): boolean {
  return marker[0] === fence[0] && marker.length >= fence.length && text.trim() === marker;
}

function plainLine(text: string): MarkdownLine {
  const match = /^ {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$/.exec(text);
  const [, hashes, title] = match ?? [];
  if (hashes === undefined || title === undefined || title === '') return { text, fenced: false };
  return { text, fenced: false, heading: { level: hashes.length, text: title } };
}
