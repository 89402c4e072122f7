import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { ConfigError, formatProblems, parseConfig } from '../../src/config/index.ts';

const FOLDER = import.meta.dirname;

/** Where the fixtures pretend to be, so that absolute paths are the same on every machine. */
const PRETENDED = '/srv/gateway/';

const ENV = {
  HOME: '/home/ada',
  PORT: '9000',
  EMPTY: '',
  TEAM: 'compilers',
  SECRET_A: 'alpha-secret',
  ISSUES_TOKEN: 'issues-secret',
};

const inputs = readdirSync(FOLDER).filter(
  (name) => /\.(?:yaml|jsonc?)$/.test(name) && !name.endsWith('.expected.json'),
);

/** The configuration as JSON, or the list of problems: whichever the file gives. */
function outcomeOf(name: string): { readonly kind: 'expected.json' | 'error.txt'; readonly text: string } {
  const source = readFileSync(join(FOLDER, name), 'utf8');
  try {
    const config = parseConfig(source, { path: `${PRETENDED}${name}`, env: ENV });
    const { path, ...rest } = config;
    expect(path).toBe(`${PRETENDED}${name}`);
    return {
      kind: 'expected.json',
      text: `${JSON.stringify(rest, null, 2)}\n`.replaceAll(PRETENDED + name, name),
    };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { kind: 'error.txt', text: `${formatProblems(error)}\n`.replaceAll(PRETENDED, '') };
  }
}

describe('configuration fixtures', () => {
  it('are enough to mean something', () => {
    expect(inputs.length).toBeGreaterThanOrEqual(20);
  });

  for (const name of inputs) {
    const stem = name.replace(/\.\w+$/, '');
    it(`${name} gives what stands beside it`, async () => {
      const { kind, text } = outcomeOf(name);
      const other = kind === 'error.txt' ? 'expected.json' : 'error.txt';
      expect(existsSync(join(FOLDER, `${stem}.${other}`)), `${stem}.${other} must not exist`).toBe(false);
      await expect(text).toMatchFileSnapshot(join(FOLDER, `${stem}.${kind}`));
    });
  }

  it('leave no expectation without its input', () => {
    const stems = new Set(inputs.map((name) => name.replace(/\.\w+$/, '')));
    const orphans = readdirSync(FOLDER)
      .filter((name) => /\.(?:expected\.json|error\.txt)$/.test(name))
      .filter((name) => !stems.has(basename(name).replace(/\.(?:expected\.json|error\.txt)$/, '')));
    expect(orphans).toEqual([]);
  });

  it('never show the value of an environment variable in a problem', () => {
    const problems = inputs.map(outcomeOf).filter(({ kind }) => kind === 'error.txt');
    const shown = [ENV.SECRET_A, ENV.ISSUES_TOKEN].filter((secret) =>
      problems.some(({ text }) => text.includes(secret)),
    );
    expect(problems.length).toBeGreaterThan(10);
    expect(shown).toEqual([]);
  });
});
