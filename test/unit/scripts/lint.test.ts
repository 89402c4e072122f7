import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lintConfigText } from '../../../scripts/lint/config.ts';
import { rooms, serverPackages } from '../../../scripts/lint/rooms.ts';

interface Case {
  readonly name: string;
  readonly path: string;
  readonly source: string;
}

interface Violation extends Case {
  readonly rule: string;
}

const exported = 'export const value = 1;\n';

/** Files that the others import, so that a path that does not resolve is never what a case fails for. */
const targets: readonly string[] = [
  ...rooms.flatMap(({ name }) => [`src/${name}/index.ts`, `src/${name}/inner.ts`]),
  'src/gateway.ts',
  'servers/demo/inner.ts',
];

const imports = (specifier: string): string =>
  `import { value } from '${specifier}';\nexport const copy: number = value;\n`;
const restricted = 'eslint(no-restricted-imports)';

const violations: readonly Violation[] = [
  {
    name: 'an import of a higher room',
    path: 'src/wire/higher.ts',
    source: imports('../routing/index.ts'),
    rule: restricted,
  },
  {
    name: 'an import of a room of the same rank',
    path: 'src/policy/sideways.ts',
    source: imports('../search/index.ts'),
    rule: restricted,
  },
  {
    name: 'an import past the index of a lower room',
    path: 'src/policy/inside.ts',
    source: imports('../domain/inner.ts'),
    rule: restricted,
  },
  {
    name: 'an import of types alone from a higher room',
    path: 'src/domain/types-alone.ts',
    source: "import { type value } from '../config/index.ts';\nexport type Copy = typeof value;\n",
    rule: restricted,
  },
  {
    name: 'a dynamic import of a higher room',
    path: 'src/config/dynamic.ts',
    source: "export const load = (): Promise<unknown> => import('../upstream/index.ts');\n",
    rule: restricted,
  },
  {
    name: 'a re-export from a higher room',
    path: 'src/config/re-export.ts',
    source: "export { value } from '../upstream/index.ts';\n",
    rule: restricted,
  },
  {
    name: 'an import of a higher room from a folder inside a room',
    path: 'src/upstream/stdio/higher.ts',
    source: imports('../../routing/index.ts'),
    rule: restricted,
  },
  {
    name: 'an import past the index from a folder inside a room',
    path: 'src/upstream/stdio/inside.ts',
    source: imports('../../domain/inner.ts'),
    rule: restricted,
  },
  {
    name: 'a folder inside a folder of a room',
    path: 'src/upstream/stdio/deep/nested.ts',
    source: imports('../../inner.ts'),
    rule: restricted,
  },
  {
    name: 'an import of the composition root by a room',
    path: 'src/downstream/root.ts',
    source: imports('../gateway.ts'),
    rule: restricted,
  },
  {
    name: 'an import of the command line by the composition root',
    path: 'src/composition.ts',
    source: imports('./cli/index.ts'),
    rule: restricted,
  },
  {
    name: 'an import past an index by the composition root',
    path: 'src/shortcut.ts',
    source: imports('./domain/inner.ts'),
    rule: restricted,
  },
  {
    name: 'a package outside its home',
    path: 'src/routing/package.ts',
    source: "import { parse } from 'yaml';\nexport const read: unknown = parse('');\n",
    rule: restricted,
  },
  {
    name: 'the entry point inside a package outside its home',
    path: 'src/routing/sub-path.ts',
    source:
      "import type { Transport } from '@modelcontextprotocol/client/stdio';\nexport type T = Transport;\n",
    rule: restricted,
  },
  {
    name: 'a package that has no home at all',
    path: 'src/config/stranger.ts',
    source: "import stranger from 'stranger';\nexport const value: unknown = stranger;\n",
    rule: restricted,
  },
  {
    name: 'input and output in the domain',
    path: 'src/domain/disk.ts',
    source: "import { readFileSync } from 'node:fs';\nexport const read: unknown = readFileSync('x');\n",
    rule: restricted,
  },
  {
    name: 'an import of src by a server',
    path: 'servers/demo/gateway.ts',
    source: imports('../../src/domain/index.ts'),
    rule: restricted,
  },
  {
    name: 'an import of a package of the gateway by a server',
    path: 'servers/demo/package.ts',
    source: "import { fastify } from 'fastify';\nexport const app: unknown = fastify();\n",
    rule: restricted,
  },
  {
    name: 'an import of a server by src',
    path: 'src/cli/server.ts',
    source: imports('../../servers/demo/inner.ts'),
    rule: restricted,
  },
  {
    name: 'a cycle made of types alone',
    path: 'src/config/circle-one.ts',
    source: "import type { Two } from './circle-two.ts';\nexport interface One {\n  readonly two?: Two;\n}\n",
    rule: 'import(no-cycle)',
  },
  {
    name: 'the other half of the cycle',
    path: 'src/config/circle-two.ts',
    source: "import type { One } from './circle-one.ts';\nexport interface Two {\n  readonly one?: One;\n}\n",
    rule: 'import(no-cycle)',
  },
  {
    name: 'a promise that nobody waits for',
    path: 'src/config/floating.ts',
    source: 'const work = async (): Promise<void> => {};\nexport function start(): void {\n  work();\n}\n',
    rule: 'typescript(no-floating-promises)',
  },
  {
    name: 'an any that leaves its boundary',
    path: 'src/config/any.ts',
    source: "export const size = (): number => JSON.parse('{}').size;\n",
    rule: 'typescript(no-unsafe-return)',
  },
  {
    name: 'a console outside the command line',
    path: 'src/config/console.ts',
    source: "console.log('hello');\n",
    rule: 'eslint(no-console)',
  },
  {
    name: 'a default export',
    path: 'src/config/default.ts',
    source: 'export default 1;\n',
    rule: 'import(no-default-export)',
  },
  {
    name: 'a note of work left undone',
    path: 'src/config/note.ts',
    source: `// TO${'DO'}: the rest\nexport const value = 1;\n`,
    rule: 'eslint(no-warning-comments)',
  },
  {
    name: 'a file of more than 400 lines',
    path: 'src/config/long.ts',
    source: Array.from({ length: 401 }, (_, n) => `export const value${n} = ${n};\n`).join(''),
    rule: 'eslint(max-lines)',
  },
];

const permitted: readonly Case[] = [
  { name: 'a lower room', path: 'src/policy/lower.ts', source: imports('../domain/index.ts') },
  {
    name: 'a lower room from a folder inside a room',
    path: 'src/upstream/http/lower.ts',
    source: imports('../../wire/index.ts'),
  },
  { name: 'the own room', path: 'src/policy/own.ts', source: imports('./inner.ts') },
  {
    name: 'the own room from a folder inside it',
    path: 'src/upstream/http/own.ts',
    source: imports('../inner.ts'),
  },
  {
    name: 'a package at home',
    path: 'src/config/home.ts',
    source: "import { parse } from 'yaml';\nexport const read = (): unknown => parse('');\n",
  },
  {
    name: 'modules of Node',
    path: 'src/upstream/node.ts',
    source: "import { readFile } from 'node:fs/promises';\nexport const read: unknown = readFile;\n",
  },
  {
    name: 'the composition root for the command line',
    path: 'src/cli/root.ts',
    source: imports('../gateway.ts'),
  },
  {
    name: 'every room for the composition root',
    path: 'src/root.ts',
    source: imports('./downstream/index.ts'),
  },
  {
    name: 'a package for a server',
    path: 'servers/demo/server.ts',
    source: "import type { Server } from '@modelcontextprotocol/server';\nexport type S = Server;\n",
  },
];

interface Diagnostic {
  readonly code: string;
  readonly filename: string;
}

/** Runs the real linter with the real configuration over a tree that is laid out as the repository is. */
async function lint(root: string): Promise<Map<string, string[]>> {
  const output = await new Promise<string>((resolve, reject) => {
    // An exit code other than 0 is the point here; what counts is whether a report came.
    execFile(
      'node_modules/.bin/oxlint',
      ['-f', 'json'],
      { cwd: root, maxBuffer: 1 << 26 },
      (error, stdout) =>
        stdout.startsWith('{') ? resolve(stdout) : reject(error ?? new Error(`no report: ${stdout}`)),
    );
  });
  const { diagnostics } = JSON.parse(output) as { diagnostics: Diagnostic[] };
  const codesByFile = new Map<string, string[]>();
  for (const { filename, code } of diagnostics) {
    codesByFile.set(filename, [...(codesByFile.get(filename) ?? []), code]);
  }
  return codesByFile;
}

describe('the linter', () => {
  let root = '';
  let codesByFile = new Map<string, string[]>();

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'tollgate-lint-'));
    await symlink(join(process.cwd(), 'node_modules'), join(root, 'node_modules'));
    for (const file of ['.oxlintrc.json', 'tsconfig.json', 'package.json'])
      await copyFile(file, join(root, file));
    const files = new Map(targets.map((path) => [path, exported]));
    for (const { path, source } of [...violations, ...permitted]) files.set(path, source);
    for (const [path, source] of files) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), source);
    }
    codesByFile = await lint(root);
  });

  afterAll(() => rm(root, { recursive: true, force: true }));

  it.each(violations)('refuses $name', ({ path, rule }) => {
    expect(codesByFile.get(path) ?? []).toContain(rule);
  });

  it.each(permitted)('permits $name', ({ path }) => {
    expect(codesByFile.get(path) ?? []).toEqual([]);
  });

  it('is configured by the table of rooms and nothing else', async () => {
    expect(await readFile('.oxlintrc.json', 'utf8')).toBe(await lintConfigText());
  });

  it('knows a home for every package that ships, and no package that does not', async () => {
    const manifest = JSON.parse(await readFile('package.json', 'utf8')) as { dependencies: object };
    const homes = new Set([...rooms.flatMap((room) => room.packages), ...serverPackages]);
    expect([...homes].toSorted()).toEqual(Object.keys(manifest.dependencies).toSorted());
  });
});
