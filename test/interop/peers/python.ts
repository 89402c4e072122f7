import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Answer, Peer } from '../ask.ts';
import { cacheFolder } from '../cache-folder.ts';
import { runProgram } from './run-program.ts';

export const pythonProgram: string = join(cacheFolder, 'python/bin/python');

export function pythonScript(name: string): string {
  if (!existsSync(pythonProgram))
    throw new Error('The Python environment is missing: run npm run interop:setup');
  return resolve(import.meta.dirname, '../python', name);
}

/** Python's official client, in a process of its own: the requests go in as JSON and the answers come out as JSON. */
export function python(mode: 'auto' | 'legacy'): Peer {
  return {
    name: `Python, ${mode}`,
    reaches: ['stdio', 'http'],
    async run(target, asks) {
      const output = await runProgram(
        pythonProgram,
        [pythonScript('peer.py')],
        JSON.stringify({ mode, target, asks }),
      );
      const { version, answers } = JSON.parse(output) as { version: string; answers: Answer[] };
      return { era: version >= '2026-07-28' ? 'modern' : 'legacy', answers };
    },
  };
}
