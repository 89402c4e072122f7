import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { REFERENCE_FILE, referenceText, SCHEMA_FILE, schemaText } from '../../../scripts/schema/documents.ts';
import { parseConfig } from '../../../src/config/index.ts';
import { configJsonSchema } from '../../../src/config/json-schema.ts';
import { readDocument } from '../../../src/config/document.ts';
import { toPlain } from '../../../src/config/tree.ts';
import { verifies } from '../../requirements/config.ts';

interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

/** The dotted keys of a schema that say nothing about themselves. */
function silentKeys(schema: Schema, path = ''): readonly string[] {
  const inner = Object.entries({ ...schema.properties, ...schema.$defs });
  return inner.flatMap(([key, value]) => {
    const name = `${path}${key}`;
    const own = value.description === undefined && key !== '$schema' ? [name] : [];
    const byName =
      typeof value.additionalProperties === 'object'
        ? silentKeys(value.additionalProperties, `${name}.*.`)
        : [];
    return [...own, ...silentKeys(value, `${name}.`), ...byName];
  });
}

const checker = z.fromJSONSchema(configJsonSchema());

function schemaAccepts(text: string, path: string): boolean {
  return checker.safeParse(toPlain(readDocument(text, path).root)).success;
}

/** The YAML blocks of a page that are whole configurations. */
function configurationsIn(page: string): readonly string[] {
  const blocks = [...page.matchAll(/^```yaml\n([\s\S]*?)^```/gm)].flatMap(([, block]) => block ?? []);
  return blocks.filter((block) => /^(?:servers|mcpServers|listen|profiles):/m.test(block));
}

const pages = [
  'README.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' }).map((name) => join('docs', name)),
];
const examples = pages
  .filter((name) => name.endsWith('.md'))
  .flatMap((name) =>
    configurationsIn(readFileSync(name, 'utf8')).map((text, index) => ({ name, index, text })),
  );

describe('what is published about the configuration', () => {
  it(verifies('config:schema:published'), async () => {
    expect(await schemaText(), 'run "npm run schema"').toBe(readFileSync(SCHEMA_FILE, 'utf8'));
    expect(await referenceText(), 'run "npm run schema"').toBe(readFileSync(REFERENCE_FILE, 'utf8'));
    expect(silentKeys(configJsonSchema())).toEqual([]);
  });

  it('the schema accepts what the loader accepts, and refuses unknown keys', () => {
    const folder = 'test/config';
    const files = readdirSync(folder);
    const isAccepted = (name: string): boolean =>
      schemaAccepts(readFileSync(join(folder, name), 'utf8'), name);
    // An empty file holds nothing to check, and a host's own file is not ours to describe.
    const loadable = files
      .filter((name) => name.endsWith('.expected.json'))
      .map((name) => name.replace('.expected.json', '.yaml'))
      .filter((name) => files.includes(name) && name !== 'empty.yaml');
    expect(loadable.length).toBeGreaterThan(8);
    expect(loadable.filter((name) => !isAccepted(name))).toEqual([]);
    expect(['unknown-keys.yaml', 'wrong-types.yaml', 'out-of-range.yaml'].filter(isAccepted)).toEqual([]);
  });

  it.each(examples)('the configuration $index of $name loads', ({ name, text }) => {
    const { servers } = parseConfig(text, { path: resolve(`${name}.yaml`), env: { ISSUES_TOKEN: 'x' } });
    expect(servers.length).toBeGreaterThan(0);
  });

  it('the embedded defaults name the schema on their first line, and pin what they take from npm', () => {
    const text = readFileSync('gateway.config.yaml', 'utf8');
    expect(text.split('\n')[0]).toBe('# yaml-language-server: $schema=./config.schema.json');
    expect(schemaAccepts(text, 'gateway.config.yaml')).toBe(true);
    const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
      devDependencies: Record<string, string>;
    };
    const pins = [...text.matchAll(/'(@modelcontextprotocol\/[\w-]+)@([\d.]+)'/g)].map(
      ([, name = '', version]) => [name, version],
    );
    expect(pins).toHaveLength(2);
    for (const [name = '', version] of pins) expect(manifest.devDependencies[name]).toBe(version);
  });
});
