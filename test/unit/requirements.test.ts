import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { casesIn, citationsIn, requirementProblems } from '../helpers/requirements-gate.ts';
import { type Requirement } from '../requirements/index.ts';

const folder = 'test/requirements';

async function declared(): Promise<Requirement[]> {
  const areas = (await readdir(folder)).filter((file) => file !== 'index.ts');
  const modules = await Promise.all(
    areas.map(async (file) => {
      const area = (await import(pathToFileURL(join(process.cwd(), folder, file)).href)) as {
        entries?: readonly Requirement[];
      };
      if (area.entries === undefined) throw new Error(`${folder}/${file} exports no entries`);
      return area.entries;
    }),
  );
  return modules.flat();
}

async function citedByTests(): Promise<Set<string>> {
  const files = (await readdir('test', { recursive: true })).filter((file) => file.endsWith('.ts'));
  const sources = await Promise.all(
    // This file cites ids that do not exist, to show that the gate refuses them.
    files
      .filter((file) => file !== join('unit', 'requirements.test.ts'))
      .map((file) => readFile(join('test', file), 'utf8')),
  );
  return new Set(sources.flatMap(citationsIn));
}

const sound: Requirement = { id: 'area:topic:behaviour', cases: ['B05'], sentence: 'it behaves' };

function problems(requirements: readonly Requirement[], cited: readonly string[]): readonly string[] {
  return requirementProblems({
    requirements,
    cited: new Set(cited),
    documentedCases: new Set(['B05']),
  });
}

describe('the requirements', () => {
  it('are each cited by a test, declared once, and name only documented cases', async () => {
    const documentedCases = new Set(casesIn(await readFile('docs/reliability.md', 'utf8')));
    const requirements = await declared();
    expect(requirements.length).toBeGreaterThan(0);
    expect(requirementProblems({ requirements, cited: await citedByTests(), documentedCases })).toEqual([]);
  });

  it('name cases that docs/reliability.md lists once each, in order', async () => {
    const cases = casesIn(await readFile('docs/reliability.md', 'utf8'));
    expect(cases).toEqual([...new Set(cases)].toSorted());
  });
});

describe('the gate of the requirements', () => {
  it('lets a sound requirement pass', () => {
    expect(problems([sound], [sound.id])).toEqual([]);
  });

  it('refuses a requirement that no test cites', () => {
    expect(problems([sound], [])).toEqual(['area:topic:behaviour is cited by no test.']);
  });

  it('refuses an id that is declared twice', () => {
    expect(problems([sound, sound], [sound.id])).toEqual(['area:topic:behaviour is declared twice.']);
  });

  it('refuses a citation of an id that is declared nowhere', () => {
    expect(problems([sound], [sound.id, 'area:topic:other'])).toEqual([
      'area:topic:other is cited by a test but declared nowhere.',
    ]);
  });

  it('refuses a case that docs/reliability.md lacks', () => {
    expect(problems([{ ...sound, cases: ['B99'] }], [sound.id])).toEqual([
      'area:topic:behaviour names B99, which docs/reliability.md lacks.',
    ]);
  });

  it('refuses an id of another form and a sentence that says nothing', () => {
    expect(problems([{ id: 'topic', sentence: ' ' }], ['topic'])).toEqual([
      'topic is not of the form area:topic:behaviour.',
      'topic says nothing.',
    ]);
  });

  it('finds citations over line breaks and with every kind of quote', () => {
    const source =
      'it(verifies(\'a:b:c\'), f);\nit(\n  verifies(\n    "d:e:f",\n  ),\n);\nit(verifies(`g:h:i`), f);';
    expect(citationsIn(source)).toEqual(['a:b:c', 'd:e:f', 'g:h:i']);
  });
});
