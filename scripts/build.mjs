// Compiles src and servers to dist, and puts the command with its libraries into a few files of its own: reading
// several hundred modules takes longer than everything else that a start does. npm runs it after an install, too.
import { chmodSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

/** The compiler's command, or undefined where the tools of development are not installed. */
function compiler() {
  try {
    const manifest = require.resolve('typescript/package.json');
    return join(dirname(manifest), require(manifest).bin.tsc);
  } catch {
    return undefined;
  }
}

const tsc = compiler();
if (tsc === undefined) {
  console.error('tollgate: dist is not built, because TypeScript is not installed (npm install --omit=dev).');
  // An install without the tools of development is no fault; a build without them is.
  process.exit(process.env.npm_lifecycle_event === 'prepare' ? 0 : 1);
}
if (process.argv.includes('--clean')) rmSync('dist', { recursive: true, force: true });
const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);

const COMMAND_FOLDER = 'dist/src/cli';
rmSync(join(COMMAND_FOLDER, 'chunks'), { recursive: true, force: true });
const { build } = await import('esbuild');
await build({
  entryPoints: ['src/cli/main.ts'],
  outdir: COMMAND_FOLDER,
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  // What is imported on demand stays apart, so that a start does not pay for it.
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  minifySyntax: true,
  minifyWhitespace: true,
  // Libraries of the older module system look for this function.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);",
  },
  logLevel: 'warning',
});
// npx links the command instead of copying it, so the file itself has to be executable.
chmodSync(join(COMMAND_FOLDER, 'main.js'), 0o755);
