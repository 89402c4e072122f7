import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { verifies } from '../requirements/telemetry.ts';

const LOGGER = pathToFileURL(join(import.meta.dirname, '../../src/telemetry/index.ts')).href;

it(verifies('telemetry:output:reader-stuck'), async () => {
  const script = `
    import { createLogger } from '${LOGGER}';
    const log = createLogger({ level: 'info', format: 'json' });
    for (let n = 0; n < 100_000; n++) log.info({ n, text: 'x'.repeat(100) }, 'x');
    process.stdout.write('not blocked');
    await log.close();
    process.exit(0);`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Takes one buffer full and no more, to the end.
  child.stderr.on('readable', () => undefined);
  const ended = once(child, 'exit') as Promise<[number]>;
  expect(String(((await once(child.stdout, 'data')) as [Buffer])[0])).toBe('not blocked');
  expect((await ended)[0]).toBe(0);
  expect(String(child.stderr.read()).split('\n', 1)[0]).toContain('"n":0');
});
