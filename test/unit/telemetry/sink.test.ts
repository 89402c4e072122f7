import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';

import { createLineSink } from '../../../src/telemetry/sink.ts';
import { verifies } from '../../requirements/telemetry.ts';

const cleanups: (() => void)[] = [];
afterEach(() => cleanups.splice(0).forEach((cleanUp) => cleanUp()));

const LOGGER = pathToFileURL(join(import.meta.dirname, '../../../src/telemetry/index.ts')).href;

/** A process that logs to its standard error; the text runs with `log` at hand. */
function startLogging(script: string): ChildProcess {
  const setUp = `import { createLogger } from '${LOGGER}'; const log = createLogger({ level: 'info', format: 'json' });`;
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '-e', `${setUp}\n${script}`],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  cleanups.push(() => child.kill('SIGKILL'));
  return child;
}

async function textOf(stream: NodeJS.ReadableStream | null): Promise<string> {
  let text = '';
  if (stream !== null) for await (const chunk of stream) text += String(chunk);
  return text;
}

describe('createLineSink', () => {
  it(verifies('telemetry:output:written-on-close'), async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-log-'));
    cleanups.push(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'log');
    const sink = createLineSink(openSync(file, 'w'), { droppedLine: () => '' });
    const lines = Array.from({ length: 5000 }, (_, index) => `{"line":${index}}\n`);
    for (const line of lines) sink.write(line);
    await sink.flush();
    expect(readFileSync(file, 'utf8')).toBe(lines.join(''));
    sink.write('last\n');
    await sink.close();
    sink.write('too late\n');
    await sink.close();
    expect(readFileSync(file, 'utf8')).toBe(`${lines.join('')}last\n`);
  });

  it('writes what is pending when the process ends without a close', async () => {
    const child = startLogging(`for (let n = 0; n < 2000; n++) log.info({ n }, 'x'); process.exit(3);`);
    const [text, [code]] = await Promise.all([
      textOf(child.stderr),
      once(child, 'close') as Promise<[number]>,
    ]);
    expect(code).toBe(3);
    expect(text.trimEnd().split('\n')).toHaveLength(2000);
  });

  it('says how many lines it had to drop', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-log-'));
    cleanups.push(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'log');
    const sink = createLineSink(openSync(file, 'w'), { droppedLine: (count) => `dropped ${count}\n` });
    const line = `${'x'.repeat(1_048_575)}\n`;
    for (let index = 0; index < 11; index++) sink.write(line);
    await sink.close();
    expect(readFileSync(file, 'utf8')).toBe(`${line.repeat(8)}dropped 3\n`);
  });

  it('leaves nothing open after the close', async () => {
    const child = startLogging(`log.info({}, 'x'); await log.close();`);
    const [code] = (await once(child, 'close')) as [number];
    expect(code).toBe(0);
  });

  it(verifies('telemetry:output:reader-gone'), async () => {
    const child = startLogging(`
      process.stdout.write('ready');
      setTimeout(async () => {
        for (let n = 0; n < 100; n++) { log.info({ n }, 'x'); await new Promise((resolve) => setImmediate(resolve)); }
        await log.close();
        process.stdout.write(' still here');
      }, 50);`);
    child.stderr?.destroy();
    const [text, [code]] = await Promise.all([
      textOf(child.stdout),
      once(child, 'close') as Promise<[number]>,
    ]);
    expect([text, code]).toEqual(['ready still here', 0]);
  });
});
