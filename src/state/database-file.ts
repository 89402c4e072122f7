import { chmod, mkdir, open, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';

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
  try {
    return (await stat(path, { bigint: true })).ino;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
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
  if ((await identityOf(path)) !== identity) return undefined;
  const target = `${path}.damaged-${now.toISOString().replaceAll(':', '')}`;
  await rename(path, target);
  for (const ending of COMPANIONS) {
    await rename(path + ending, target + ending).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    });
  }
  return target;
}
