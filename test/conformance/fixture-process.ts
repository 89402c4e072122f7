import type { ServedEra } from '../fixtures/everything/era.ts';
import { startProcess, type RunningProcess } from './processes.ts';

const READY_MS = 20_000;

/** Starts the fixture over HTTP on a free port; it announces its URL. */
export function startFixture(era: ServedEra): Promise<RunningProcess> {
  return startProcess({
    name: 'the fixture',
    command: process.execPath,
    args: ['--import', 'tsx', 'test/fixtures/everything/main.ts', '--port', '0', '--era', era],
    cwd: process.cwd(),
    ready: /everything ready (\S+)/,
    readyMs: READY_MS,
  });
}
