// Installs what the interoperability suite needs beyond the development packages: a Python environment with the
// official client and server, and the published servers of the census. Both go to a folder that git ignores, and a
// part that is there already, for the same pinned versions, is left alone.
import { spawnSync, type SpawnSyncOptions } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from './cache-folder.ts';

const here = import.meta.dirname;

function run(command: string, args: readonly string[], options: SpawnSyncOptions = {}): void {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', ...options });
  if (error !== undefined) throw new Error(`${command} cannot be run: ${error.message}`);
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}`);
}

/** Runs `install` unless the folder was completed for the very same pins before. */
function provide(name: string, pins: readonly string[], install: (folder: string) => void): void {
  const folder = join(cacheFolder, name);
  const stamp = join(folder, 'complete');
  const digest = createHash('sha256');
  for (const pin of pins) digest.update(readFileSync(join(here, pin)));
  const wanted = `${process.version} ${digest.digest('hex')}`;
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) {
    console.log(`${name}: already in ${folder}`);
    return;
  }
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  install(folder);
  writeFileSync(stamp, wanted);
  console.log(`${name}: installed in ${folder}`);
}

provide('python', ['python/requirements.txt'], (folder) => {
  run(process.env['PYTHON'] ?? 'python3', ['-m', 'venv', folder]);
  const requirements = join(here, 'python/requirements.txt');
  run(join(folder, 'bin/python'), [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '-r',
    requirements,
  ]);
});

provide('census', ['census/package.json', 'census/package-lock.json'], (folder) => {
  for (const file of ['package.json', 'package-lock.json', '.npmrc']) {
    copyFileSync(join(here, 'census', file), join(folder, file));
  }
  // No install script of a stranger's package runs: the servers work without them.
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder });
});
