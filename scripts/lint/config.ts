import { format } from 'prettier';
import { importableFrom, rooms, serverPackages, type Room } from './rooms.ts';

type Severity = 'error' | 'off';
type Rule = Severity | readonly [Severity, ...unknown[]];

interface Override {
  readonly files: readonly string[];
  readonly rules: Readonly<Record<string, Rule>>;
}

interface LintConfig {
  readonly $schema: string;
  readonly plugins: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
  readonly categories: Readonly<Record<string, Severity>>;
  readonly rules: Readonly<Record<string, Rule>>;
  readonly overrides: readonly Override[];
  readonly ignorePatterns: ['dist', 'node_modules', '.tollgate'];
}

/** Faults that matter here beyond the linter's own "correctness" set. */
const everywhere: Readonly<Record<string, Rule>> = {
  // Without `ignoreTypes: false` a cycle that is made of types alone would pass.
  'import/no-cycle': ['error', { ignoreTypes: false }],
  'import/no-default-export': 'error',
  'import/no-mutable-exports': 'error',
  'import/no-self-import': 'error',
  'unicorn/prefer-node-protocol': 'error',
  'unicorn/no-instanceof-builtins': 'error',
  'unicorn/no-array-sort': 'error',
  'unicorn/no-array-reverse': 'error',
  'unicorn/no-typeof-undefined': 'error',
  // A set is copied before a loop that removes from it.
  'unicorn/no-useless-spread': 'off',
  'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
  'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
  complexity: ['error', { max: 12 }],
  'max-depth': ['error', { max: 4 }],
  'array-callback-return': 'error',
  eqeqeq: ['error', 'always'],
  'no-duplicate-imports': ['error', { allowSeparateTypeImports: true }],
  'no-else-return': 'error',
  'no-extend-native': 'error',
  'no-implicit-coercion': 'error',
  'no-self-compare': 'error',
  'no-unneeded-ternary': 'error',
  'no-unmodified-loop-condition': 'error',
  'no-useless-concat': 'error',
  'no-useless-return': 'error',
  'no-var': 'error',
  'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx', 'hack'], location: 'anywhere' }],
  'object-shorthand': 'error',
  'prefer-const': 'error',
  'preserve-caught-error': 'error',
  'typescript/ban-ts-comment': 'error',
  'typescript/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
  'typescript/no-dynamic-delete': 'error',
  'typescript/no-explicit-any': 'error',
  'typescript/no-misused-promises': 'error',
  // A string is spread to get its code points, which is what the code wants then.
  'typescript/no-misused-spread': ['error', { allow: ['string'] }],
  'typescript/no-non-null-assertion': 'error',
  'typescript/no-require-imports': 'error',
  'typescript/no-unnecessary-type-assertion': 'error',
  'typescript/only-throw-error': 'error',
  'typescript/prefer-promise-reject-errors': 'error',
  'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
  // Factories return objects of closures, which have no `this` to lose.
  'typescript/unbound-method': 'off',
  'typescript/use-unknown-in-catch-callback-variable': 'error',
};

/** In what ships, an `any` ends where it enters: results of JSON.parse and the like are `unknown`. */
const shipped: Readonly<Record<string, Rule>> = {
  'no-console': 'error',
  'typescript/no-unsafe-argument': 'error',
  'typescript/no-unsafe-assignment': 'error',
  'typescript/no-unsafe-call': 'error',
  'typescript/no-unsafe-member-access': 'error',
  'typescript/no-unsafe-return': 'error',
};

/**
 * What files may import: modules of Node, the given packages, and relative paths, of which `closed` are
 * refused again and `open` is what stays open of those. One pattern holds it all, because an exception
 * ("!...") in any pattern also lifts what every other pattern refuses; within one the last match decides.
 */
function restrictImports(allowed: {
  readonly packages: readonly string[];
  readonly builtins?: readonly string[] | undefined;
  readonly closed: readonly string[];
  readonly open: readonly string[];
  readonly message: string;
}): Readonly<Record<string, Rule>> {
  const packages = allowed.packages.flatMap((name) => [name, `${name}/**`]);
  const absolute = [...(allowed.builtins ?? ['node:*', 'node:*/**']), ...packages];
  const except = (paths: readonly string[]): readonly string[] => paths.map((path) => `!${path}`);
  const group = ['**', '!.*/**', ...except(absolute), ...allowed.closed, ...except(allowed.open)];
  return { 'no-restricted-imports': ['error', { patterns: [{ group, message: allowed.message }] }] };
}

/**
 * The overrides of one room, one for each depth of its folders, because a relative path means another place
 * at another depth. An override replaces the rule of the same name whole, so each says everything.
 */
function roomOverrides(room: Room): readonly Override[] {
  const lower = importableFrom(room);
  const message =
    `${room.name} may import the index.ts of lower rooms (${lower.join(', ') || 'none'}) ` +
    `and the packages that have their home in it (${room.packages.join(', ') || 'none'}); ` +
    'see scripts/lint/rooms.ts.';
  const atDepth = (files: string, up: string): Override => {
    const open = lower.map((name) => `${up}${name}/index.ts`);
    // The command line is what starts the composition root; no other room may know that it exists.
    if (room.name === 'cli') open.push(`${up}gateway.ts`);
    const closed = [`${up}*`, `${up}*/**`, `${up}../**`];
    return { files: [files], rules: restrictImports({ ...room, closed, open, message }) };
  };
  return [
    atDepth(`src/${room.name}/*.ts`, '../'),
    atDepth(`src/${room.name}/*/*.ts`, '../../'),
    {
      files: [`src/${room.name}/*/*/**/*.ts`],
      rules: restrictImports({
        packages: [],
        closed: ['**'],
        open: [],
        message: 'A room has at most one level of folders.',
      }),
    },
  ];
}

const compositionRoot: Override = {
  files: ['src/*.ts'],
  rules: restrictImports({
    packages: [],
    closed: ['../**', './*/**'],
    open: rooms.filter((room) => room.name !== 'cli').map((room) => `./${room.name}/index.ts`),
    message: 'The composition root imports the index.ts of rooms, no package, and never the command line.',
  }),
};

const servers: Override = {
  files: ['servers/**/*.ts'],
  rules: {
    ...shipped,
    ...restrictImports({
      packages: serverPackages,
      closed: ['src', 'test', 'bench', 'scripts', 'dist'].map((folder) => `../**/${folder}/**`),
      open: [],
      message:
        `A server is a program of its own: it imports nothing of the gateway, and of packages only ` +
        `${serverPackages.join(', ')}.`,
    }),
  },
};

const tests: Override = {
  files: ['test/**/*.ts'],
  rules: {
    'max-lines': ['error', { max: 600, skipBlankLines: true, skipComments: true }],
    // A `describe` block is a list of tests, not a function to keep on one screen.
    'max-lines-per-function': 'off',
    'typescript/no-non-null-assertion': 'off',
    'vitest/no-disabled-tests': 'error',
    'vitest/no-focused-tests': 'error',
    // Titles are made by `verifies(id)`; the compiler knows that they are strings.
    'vitest/valid-title': 'off',
    // `then` is a keyword of JSON Schema.
    'unicorn/no-thenable': 'off',
  },
};

/** One list of sentences an area: it grows with what is promised, and is looked up by id. */
const requirements: Override = {
  files: ['test/requirements/*.ts'],
  rules: { 'max-lines': 'off' },
};

function lintConfig(): LintConfig {
  return {
    $schema: './node_modules/oxlint/configuration_schema.json',
    plugins: ['typescript', 'unicorn', 'oxc', 'import', 'vitest'],
    options: { typeAware: true, reportUnusedDisableDirectives: 'error' },
    categories: { correctness: 'error' },
    rules: everywhere,
    overrides: [
      { files: ['src/**/*.ts'], rules: shipped },
      ...rooms.flatMap(roomOverrides),
      compositionRoot,
      servers,
      // Commands write their results to standard output, which is what a console is for.
      { files: ['src/cli/**/*.ts', 'servers/*/main.ts'], rules: { 'no-console': 'off' } },
      tests,
      requirements,
      { files: ['*.config.ts'], rules: { 'import/no-default-export': 'off' } },
    ],
    ignorePatterns: ['dist', 'node_modules', '.tollgate'],
  };
}

/** The text of `.oxlintrc.json`, formatted as the repository formats JSON. */
export async function lintConfigText(): Promise<string> {
  const comment = '// Generated by `npm run lint:config` from scripts/lint; do not edit.';
  return format(`${comment}\n${JSON.stringify(lintConfig())}`, { parser: 'json', printWidth: 110 });
}
