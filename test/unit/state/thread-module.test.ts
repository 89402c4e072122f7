import { describe, expect, it } from 'vitest';
import { threadModule } from '../../../src/state/index.ts';

describe('the module of a thread', () => {
  const cases = [
    ['file:///p/src/state/database.ts', 'file:///p/src/state/database-worker.ts'],
    ['file:///p/dist/src/state/database.js', 'file:///p/dist/src/state/database-worker.js'],
    ['file:///p/dist/src/cli/main.js', 'file:///p/dist/src/state/database-worker.js'],
    ['file:///p/dist/src/cli/chunks/serve-AB.js', 'file:///p/dist/src/state/database-worker.js'],
    [
      'file:///home/src/my%20app/dist/src/cli/main.js',
      'file:///home/src/my%20app/dist/src/state/database-worker.js',
    ],
  ] as const;

  it.each(cases)('lies at its place in the sources, asked for by %s', (askedBy, expected) => {
    expect(threadModule(askedBy, 'state/database-worker').href).toBe(expected);
  });
});
