import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/domain/index.ts';
import { type Database, openDatabase } from '../../../src/state/index.ts';
import { verifies } from '../../requirements/state.ts';
import { temporaryFolder } from './temporary-folder.ts';

const INSERT = 'INSERT INTO unrecorded_requests (time_ms, requests) VALUES (?, ?)';
const SUM = 'SELECT count(*), sum(requests) FROM unrecorded_requests';

interface Opened {
  readonly database: Database;
  readonly setAside: { readonly path: string; readonly setAside: string; readonly reason: string }[];
}

function open(folder: string): Opened {
  const setAside: Opened['setAside'] = [];
  const database = openDatabase({ folder, clock: systemClock, onSetAside: (event) => setAside.push(event) });
  onTestFinished(() => database.close());
  return { database, setAside };
}

const insert = (database: Database, ...rows: [number, number][]): Promise<readonly number[]> =>
  database.write([{ sql: INSERT, rows }]);

/** What of the folder this process holds open, where the system tells. */
async function openFiles(folder: string): Promise<string[]> {
  const handles = '/proc/self/fd';
  if (!existsSync(handles)) return [];
  const links = (await readdir(handles)).map((name) => readlink(join(handles, name)).catch(() => ''));
  return (await Promise.all(links)).filter((path) => path.startsWith(folder));
}

describe('the state file', () => {
  it(verifies('state:file:private'), async () => {
    const folder = await temporaryFolder();
    const { database } = open(folder);
    await expect(stat(folder)).rejects.toThrow('ENOENT');
    await insert(database, [1, 2]);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    for (const file of await readdir(folder))
      expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);
  });

  it('gives back values of every kind as they went in, and keeps them for the next run', async () => {
    const folder = await temporaryFolder();
    const first = open(folder).database;
    const values = ['text', '', '中文 👩‍👧', 42, -0.5, null, new Uint8Array([0, 255])];
    const [row] = await first.all(`SELECT ${values.map(() => '?').join()}`, values);
    expect(row?.map((value) => (value instanceof Uint8Array ? new Uint8Array(value) : value))).toEqual(
      values,
    );
    for (const value of [null, new Uint8Array([7]), 'alone']) {
      expect(await first.all('SELECT ?', [value])).toEqual([[value]]);
    }
    await insert(first, [1, 2], [3, 4]);
    await first.close();
    expect(await open(folder).database.all(SUM)).toEqual([[2, 6]]);
  });

  it(verifies('state:write:whole'), async () => {
    const { database } = open(await temporaryFolder());
    expect(await insert(database, [1, 1], [2, 2])).toEqual([2]);
    const work = [
      { sql: INSERT, rows: [[3, 3]] },
      { sql: INSERT, rows: [[4, null]] },
    ];
    await expect(database.write(work)).rejects.toMatchObject({ code: 'STATE_FAILED' });
    await expect(database.all('SELECT nothing FROM nowhere')).rejects.toMatchObject({ code: 'STATE_FAILED' });
    expect(await database.all(SUM)).toEqual([[2, 3]]);
  });

  it(verifies('state:file:closed'), async () => {
    const folder = await temporaryFolder();
    const { database } = open(folder);
    const written = insert(database, [1, 1]);
    await database.close();
    expect(await written).toEqual([1]);
    expect(await readdir(folder)).toEqual(['tollgate.db']);
    expect(await openFiles(folder)).toEqual([]);
    await expect(database.all(SUM)).rejects.toMatchObject({ code: 'STATE_CLOSED' });
  });

  it(verifies('state:file:shared'), async () => {
    const folder = await temporaryFolder();
    const databases = [open(folder).database, open(folder).database];
    const times = Array.from({ length: 20 }, (_, index) => index);
    await Promise.all(databases.flatMap((database) => times.map((time) => insert(database, [time, 1]))));
    for (const database of databases) expect(await database.all(SUM)).toEqual([[40, 40]]);
  });

  it(verifies('state:file:newer'), async () => {
    const folder = await temporaryFolder();
    const { database } = open(folder);
    await database.all('PRAGMA user_version = 9999');
    await database.close();
    const bytes = await readFile(join(folder, 'tollgate.db'));
    const later = open(folder);
    await expect(later.database.all(SUM)).rejects.toMatchObject({ code: 'STATE_NEWER' });
    await later.database.close();
    expect(later.setAside).toEqual([]);
    expect((await readFile(join(folder, 'tollgate.db'))).equals(bytes)).toBe(true);
  });

  it('says what is wrong when the folder cannot be made, and goes on once it can', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, '..'), { recursive: true });
    await writeFile(folder, 'a file in the way');
    const { database } = open(folder);
    await expect(database.all(SUM)).rejects.toMatchObject({
      code: 'STATE_FAILED',
      message: expect.stringContaining(folder) as string,
    });
    await rm(folder);
    expect(await database.all(SUM)).toEqual([[0, null]]);
  });
});

describe('a damaged state file', () => {
  const damages: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
    'that is no database': () => Buffer.from('this was never a database, '.repeat(500)),
    'whose schema is overwritten': (bytes) => Buffer.from(bytes).fill(0x5a, 100, 4096),
    'whose middle is overwritten': (bytes) => Buffer.from(bytes).fill(0x5a, 8192, bytes.length - 4096),
    'that was cut off': (bytes) => bytes.subarray(0, 20_000),
  };

  it.each(Object.entries(damages))(`${verifies('state:file:damaged')}: one %s`, async (_name, damage) => {
    const folder = await temporaryFolder();
    const path = join(folder, 'tollgate.db');
    const before = open(folder).database;
    await insert(before, ...Array.from({ length: 5_000 }, (_, index): [number, number] => [index, 1]));
    await before.close();
    const damaged = damage(await readFile(path));
    await writeFile(path, damaged);

    const { database, setAside } = open(folder);
    // Several at once find the damage, and it is set aside once.
    const answers = await Promise.all([database.all(SUM), database.all(SUM), insert(database, [1, 7])]);
    expect(answers[2]).toEqual([1]);
    expect(await database.all(SUM)).toEqual([[1, 7]]);
    expect(setAside).toHaveLength(1);
    expect(setAside[0]?.reason).toMatch(/malformed|not a database/);
    const kept = await readFile(setAside[0]?.setAside ?? '');
    // The engine may have noted in the header that it looked at it; the rest is untouched.
    expect(kept.subarray(100).equals(damaged.subarray(100))).toBe(true);
  });

  it('is not set aside again once another process has done so', async () => {
    const folder = await temporaryFolder();
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'tollgate.db'), 'this was never a database, '.repeat(500));
    const both = [open(folder), open(folder)];
    await Promise.all(both.map(({ database }) => insert(database, [1, 1])));
    expect(both.flatMap(({ setAside }) => setAside)).toHaveLength(1);
    expect(await both[0]?.database.all(SUM)).toEqual([[2, 2]]);
  });
});
