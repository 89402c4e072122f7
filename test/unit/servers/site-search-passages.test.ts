import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutPassages } from '../../../servers/site-search/passages.ts';
import { splitText } from '../../../servers/site-search/split-text.ts';
import { verifies } from '../../requirements/site-search.ts';

const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

describe('cutting a chapter into passages', () => {
  it(verifies('site-search:passages:word-boundaries'), () => {
    const word = fc.stringMatching(/^[a-z.,é✓]{1,14}$/);
    const separator = fc.constantFrom(' ', '  ', '\n', '\n\n', ' \n \n');
    const document = fc.array(fc.tuple(word, separator), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(document, fc.integer({ min: 20, max: 120 }), (pieces, limitChars) => {
        const text = pieces.flat().join('');
        const passages = cutPassages(text, limitChars);
        expect(passages.flatMap((passage) => wordsOf(passage.text))).toEqual(wordsOf(text));
        for (const passage of passages) expect(passage.text.length).toBeLessThanOrEqual(limitChars);
      }),
    );
  });

  it('gives each passage the nearest heading above it', () => {
    const passages = cutPassages('# Title\n\nIntro.\n\n## First\n\nOne.\n\nTwo.\n\n### Deeper ##\n\nThree.');
    expect(passages).toEqual([
      { heading: 'Title', text: 'Intro.' },
      { heading: 'First', text: 'One.\n\nTwo.' },
      { heading: 'Deeper', text: 'Three.' },
    ]);
  });

  it('takes a # inside a code block for a comment', () => {
    const [passage, ...others] = cutPassages('## Code\n\n```sh\n# not a heading\n\nls\n```\n');
    expect(passage).toEqual({ heading: 'Code', text: '```sh\n# not a heading\n\nls\n```' });
    expect(others).toEqual([]);
  });

  it('keeps a fence around each part of a code block that is too long', () => {
    const body = Array.from({ length: 30 }, (_, at) => `call(${at});`).join('\n');
    const passages = cutPassages(`\`\`\`ts\n${body}\n\`\`\``, 100);
    expect(passages.length).toBeGreaterThan(3);
    for (const { text } of passages) expect(text).toMatch(/^```ts\n(?:call\(\d+\);\n)+```$/);
  });

  it('leaves out front matter and headings without text', () => {
    expect(cutPassages('---\ntitle: Secret\n---\n# Title\n\n## Empty\n\n## Full\n\nText.')).toEqual([
      { heading: 'Full', text: 'Text.' },
    ]);
  });

  it('reads line ends of both kinds', () => {
    expect(cutPassages('# A\r\n\r\nText one.\r\n\r\nText two.\r\n')).toEqual([
      { heading: 'A', text: 'Text one.\n\nText two.' },
    ]);
  });
});

describe('splitting text that is too long', () => {
  it('prefers the end of a sentence, then of a word', () => {
    expect(splitText('One two three four. Five six seven.', 24)).toEqual([
      'One two three four.',
      'Five six seven.',
    ]);
    expect(splitText('alpha beta gamma delta', 11)).toEqual(['alpha beta', 'gamma delta']);
  });

  it('lets a word that fits exactly stay whole', () => {
    expect(splitText('abcde fghij', 5)).toEqual(['abcde', 'fghij']);
  });

  it('cuts a script without spaces between words, and a word that is too long between characters', () => {
    const parts = splitText('今日はとても天気がいいので散歩に行きました。'.repeat(3), 20);
    expect(parts.join('')).toBe('今日はとても天気がいいので散歩に行きました。'.repeat(3));
    expect(splitText('😀'.repeat(5), 3)).toEqual(['😀', '😀', '😀', '😀', '😀']);
    expect(splitText('a'.repeat(25), 10)).toEqual(['a'.repeat(10), 'a'.repeat(10), 'a'.repeat(5)]);
  });
});
