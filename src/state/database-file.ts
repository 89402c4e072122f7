import { chmod, mkdir, open, rename, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Owner only: the file tells who used what, and when. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

const FILE_NAME = 'tollgate.db';

/** The files that an engine with a write-ahead log keeps beside the database, by their endings. */
const COMPANIONS = ['-wal', '-shm'];

/** Makes what is missing. A folder that exists keeps its mode: it may be shared with other things. */
export async function prepareFile(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  const path = join(folder, FILE_NAME);
  const file = await open(path, 'a', FILE_MODE);
  await file.close();
  await chmod(path, FILE_MODE);
  return path;
}

/** What tells the file from another that takes its place. */
export async function identityOf(path: string): Promise<bigint | undefined> {
  return (await ifThere(stat(path, { bigint: true })))?.ino;
}

/**
 * Renames a damaged file with its companions, so that nothing in it is lost to who wants to look; gives its new
 * path. Does nothing when another process has done it already.
 */
export async function setAside(
  path: string,
  identity: bigint | undefined,
  now: Date,
): Promise<string | undefined> {
  return alone(`${path}.repair`, async () => {
    if ((await identityOf(path)) !== identity) return undefined;
    const target = `${path}.damaged-${now.toISOString().replaceAll(':', '')}`;
    // Companions first: once the path is free, another process may begin a new file with companions of its own.
    for (const ending of COMPANIONS) await ifThere(rename(path + ending, target + ending));
    await rename(path, target);
    return target;
  });
}

const RETRY_MS = 20;
// A repair takes a few milliseconds; an older mark is of a process that ended in the middle of one.
const STALE_MS = 5_000;

/** Runs while no other process does: a file marks the one that may. */
async function alone<Result>(mark: string, run: () => Promise<Result>): Promise<Result> {
  while (!(await taken(mark))) await delay(RETRY_MS);
  try {
    return await run();
  } finally {
    await ifThere(unlink(mark));
  }
}

async function taken(mark: string): Promise<boolean> {
  try {
    const file = await open(mark, 'wx', FILE_MODE);
    await file.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const since = await ifThere(stat(mark));
  if (since !== undefined && Date.now() - since.mtimeMs > STALE_MS) await ifThere(unlink(mark));
  return false;
}

async function ifThere<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
