import { defineConfig } from 'vitest/config';

/** One project a suite: `unit` is what a developer runs; the others need more than Node or more time. */
const suite = (name: string, include: string[], timeoutMs: number) => ({
  test: { name, include, testTimeout: timeoutMs, hookTimeout: timeoutMs },
});

export default defineConfig({
  test: {
    projects: [
      suite('unit', ['test/unit/**/*.test.ts', 'test/config/**/*.test.ts', 'test/pins/**/*.test.ts'], 20_000),
      suite('contract', ['test/contract/**/*.test.ts'], 60_000),
      suite('interop', ['test/interop/**/*.test.ts'], 300_000),
      suite('e2e', ['test/e2e/**/*.test.ts'], 120_000),
    ],
  },
});
