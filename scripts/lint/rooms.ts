/**
 * The rooms of `src/` and what each may import. A room imports only from rooms of a lower rank, through
 * their `index.ts`, and a third-party package only where it has its home. `.oxlintrc.json` is written from
 * this table by `npm run lint:config`.
 */
export interface Room {
  readonly name: string;
  readonly rank: number;
  /** The packages that have their home here; everywhere else in `src` they are refused. */
  readonly packages: readonly string[];
  /** Node's own modules that are open to the room; all of them when absent. */
  readonly builtins?: readonly string[];
}

export const rooms: readonly Room[] = [
  // No input or output here: a digest is the only thing that the nouns of the domain need from Node.
  { name: 'domain', rank: 0, packages: [], builtins: ['node:crypto'] },
  { name: 'config', rank: 1, packages: ['yaml', 'zod'] },
  { name: 'telemetry', rank: 1, packages: ['pino'] },
  { name: 'wire', rank: 1, packages: ['eventsource-parser'] },
  { name: 'state', rank: 1, packages: ['libsql'] },
  {
    name: 'upstream',
    rank: 2,
    packages: ['@modelcontextprotocol/client', '@modelcontextprotocol/core', 'undici', 'zod'],
  },
  { name: 'catalog', rank: 3, packages: ['zod'] },
  { name: 'policy', rank: 4, packages: [] },
  { name: 'search', rank: 4, packages: ['minisearch'] },
  { name: 'accounting', rank: 4, packages: ['gpt-tokenizer'] },
  { name: 'routing', rank: 5, packages: ['zod'] },
  { name: 'exposure', rank: 6, packages: ['zod'] },
  {
    name: 'downstream',
    rank: 7,
    packages: [
      '@modelcontextprotocol/core',
      '@modelcontextprotocol/node',
      '@modelcontextprotocol/server',
      'fastify',
      'zod',
    ],
  },
  { name: 'cli', rank: 8, packages: ['commander'] },
  { name: 'dashboard', rank: 8, packages: [] },
];

/** What the servers under `servers/` may use: they are independent programs and share nothing with `src`. */
export const serverPackages: readonly string[] = [
  '@modelcontextprotocol/node',
  '@modelcontextprotocol/server',
  'libsql',
  'minisearch',
  'yaml',
  'zod',
];

/** The names of the rooms that `room` may import. */
export function importableFrom(room: Room): readonly string[] {
  return rooms.filter((other) => other.rank < room.rank).map((other) => other.name);
}
