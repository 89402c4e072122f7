import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { parseArguments } from '../../../servers/site-search/arguments.ts';
import { loadCorpus } from '../../../servers/site-search/corpus.ts';
import { verifies } from '../../requirements/site-search.ts';

const CONTENT = fileURLToPath(new URL('../../../servers/site-search/content', import.meta.url));
const TRACKS = ['blog', 'design', 'dsa', 'essays', 'gpu', 'kernel'];

const folders: string[] = [];
afterEach(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true })));
});

async function folderWith(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'site-search-'));
  folders.push(folder);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

describe('the bundled content', () => {
  it(verifies('site-search:corpus:content'), async () => {
    const { tracks, chapters, byUri } = await loadCorpus(CONTENT);
    expect(tracks.map((track) => track.id)).toEqual(TRACKS);
    expect(chapters.length).toBeGreaterThanOrEqual(32);
    for (const uri of [
      'chapter://design/22-rate-limiter',
      'chapter://dsa/09-heaps',
      'chapter://gpu/03-the-cuda-model',
    ]) {
      expect(byUri.get(uri)?.uri).toBe(uri);
    }
    const poor = chapters.filter(
      ({ id, title, sections, markdown }) =>
        !/^\d{2}-[a-z0-9-]+$/.test(id) ||
        !markdown.startsWith(`# ${title}\n`) ||
        sections.length < 4 ||
        markdown.split(/\s+/).length < 600,
    );
    expect(poor.map((chapter) => chapter.uri)).toEqual([]);
    expect(new Set(chapters.map((chapter) => chapter.title)).size).toBe(chapters.length);
  });
});

describe('another folder', () => {
  it(verifies('site-search:corpus:other-root'), async () => {
    const root = await folderWith({
      'b/02-two.md': '# Two',
      'b/01-one.md': 'No title here.',
      'a track/x, y.md': '# Odd name',
      'b/_track.md': '# The second track\n\nNot a chapter.',
      'b/notes.txt': 'not Markdown',
      'empty/readme.txt': 'no chapter',
      '.hidden/01.md': '# Hidden',
      'top.md': '# In no track',
    });
    const { tracks, chapters } = await loadCorpus(root);
    expect(tracks).toEqual([
      { id: 'a track', title: 'a track' },
      { id: 'b', title: 'The second track' },
    ]);
    expect(chapters.map(({ uri, title }) => [uri, title])).toEqual([
      ['chapter://a%20track/x%2C%20y', 'Odd name'],
      ['chapter://b/01-one', '01-one'],
      ['chapter://b/02-two', 'Two'],
    ]);
  });

  it('is refused with a sentence that names it when it is missing, a file, or without chapters', async () => {
    const root = await folderWith({ 'file.md': '# Alone', 'empty/readme.txt': '' });
    await expect(loadCorpus(join(root, 'none'))).rejects.toThrow(/none cannot be read: it does not exist/);
    await expect(loadCorpus(join(root, 'file.md'))).rejects.toThrow(
      /file\.md cannot be read: it is not a folder/,
    );
    await expect(loadCorpus(root)).rejects.toThrow(/holds no chapters.*sub-folder/);
  });
});

describe('the command line', () => {
  it.each([
    [[], { kind: 'stdio', root: undefined }],
    [['stdio', '--root', 'docs'], { kind: 'stdio', root: 'docs' }],
    [['http'], { kind: 'http', root: undefined, host: '127.0.0.1', port: 8765 }],
    [
      ['http', '--port', '0', '--host', '::1', '--root', 'x'],
      { kind: 'http', root: 'x', host: '::1', port: 0 },
    ],
    [['--help'], { kind: 'help' }],
  ])('reads %j', (argv, expected) => {
    expect(parseArguments(argv)).toEqual(expected);
  });

  it.each([
    [['sse'], /"sse" is not a transport/],
    [['http', 'stdio'], /"stdio" is one argument too many/],
    [['http', '--port', '70000'], /--port "70000"/],
    [['http', '--port', '80x'], /--port "80x"/],
    [['--port', '80'], /need the http transport/],
    [['--verbose'], /--verbose/],
    [['--root'], /--root/],
  ])('refuses %j', (argv, problem) => {
    const command = parseArguments(argv);
    expect(command.kind).toBe('invalid');
    expect(command).toHaveProperty('problem', expect.stringMatching(problem));
  });
});
