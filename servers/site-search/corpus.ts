import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseChapter, readLines } from './chapter.ts';
import type { Chapter } from './chapter.ts';

/** A sub-folder of the site. */
export interface Track {
  readonly id: string;
  /** What the folder is about, from the title of its `_track.md`, or its own name. */
  readonly title: string;
}

/** Everything the site holds. It is read once, at start, and never changes after that. */
export interface Corpus {
  readonly tracks: readonly Track[];
  /** In the order of tracks and, within one, of file names. */
  readonly chapters: readonly Chapter[];
  readonly byUri: ReadonlyMap<string, Chapter>;
}

/** The folder cannot be served. The message names it and says what is expected there. */
export class CorpusError extends Error {
  override readonly name = 'CorpusError';
}

/**
 * Reads `root/<track>/<chapter>.md`. Names are ordered by code unit, so that lists and scores are the same
 * on every machine, whatever its locale. Names that start with `.` or `_` are not chapters.
 */
export async function loadCorpus(root: string): Promise<Corpus> {
  const tracks: Track[] = [];
  const chapters: Chapter[] = [];
  for (const id of await listNames(root, 'folder')) {
    const names = (await listNames(join(root, id), 'file')).filter((name) => name.endsWith('.md'));
    if (names.length === 0) continue;
    tracks.push({ id, title: await readTrackTitle(join(root, id, '_track.md'), id) });
    const texts = await Promise.all(names.map((name) => readFile(join(root, id, name), 'utf8')));
    chapters.push(...texts.map((text, at) => parseChapter(id, (names[at] ?? '').slice(0, -3), text)));
  }
  if (tracks.length === 0) {
    throw new CorpusError(
      `${root} holds no chapters. It needs at least one sub-folder (a track) with a Markdown file, such as guides/01-start.md.`,
    );
  }
  return { tracks, chapters, byUri: new Map(chapters.map((chapter) => [chapter.uri, chapter])) };
}

async function listNames(folder: string, kind: 'folder' | 'file'): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .filter((entry) => (kind === 'folder' ? entry.isDirectory() : entry.isFile()))
      .map((entry) => entry.name)
      .filter((name) => !/^[._]/.test(name) && name !== 'node_modules')
      .toSorted((a, b) => (a < b ? -1 : 1));
  } catch (error) {
    throw new CorpusError(`The folder ${folder} cannot be read: ${reasonOf(error)}.`, { cause: error });
  }
}

async function readTrackTitle(file: string, fallback: string): Promise<string> {
  try {
    const lines = readLines(await readFile(file, 'utf8'));
    return lines.find((line) => line.heading?.level === 1)?.heading?.text ?? fallback;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return fallback;
    throw new CorpusError(`The file ${file} cannot be read: ${reasonOf(error)}.`, { cause: error });
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

function reasonOf(error: unknown): string {
  const code = codeOf(error);
  if (code === 'ENOENT') return 'it does not exist';
  if (code === 'ENOTDIR') return 'it is not a folder';
  if (code === 'EACCES') return 'permission was denied';
  return error instanceof Error ? error.message : String(error);
}
