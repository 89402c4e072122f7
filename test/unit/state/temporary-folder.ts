import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A path for a state folder that does not exist yet; removed with the test. */
export async function temporaryFolder(): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'tollgate-state-'));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  return join(parent, 'deep', 'state');
}
