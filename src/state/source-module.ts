import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** As much of the bundler as is used here; it is a tool of development, and absent where the package is installed. */
interface Bundler {
  buildSync(options: Readonly<Record<string, unknown>>): {
    readonly outputFiles: readonly { readonly text: string }[];
  };
}

/**
 * The module that a thread can run. Node loads no TypeScript in a thread, so when the gateway runs from its source,
 * as in tests, the module is bundled first, into a folder from which packages are found.
 */
export function runnableModule(module: URL): URL {
  if (!module.pathname.endsWith('.ts')) return module;
  const require = createRequire(module);
  const { buildSync } = require('esbuild') as Bundler;
  const source = fileURLToPath(module);
  const { outputFiles } = buildSync({
    entryPoints: [source],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    write: false,
  });
  const code = outputFiles.map(({ text }) => text).join('\n');
  const digest = createHash('sha256').update(code).digest('hex').slice(0, 16);
  const packages = dirname(dirname(require.resolve('esbuild/package.json')));
  return pathToFileURL(
    written(join(packages, '.cache', 'tollgate'), `${basename(source, '.ts')}-${digest}.mjs`, code),
  );
}

/** Other processes do the same at the same time, so a file appears complete or not at all. */
function written(folder: string, name: string, text: string): string {
  const path = join(folder, name);
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, path);
  return path;
}
