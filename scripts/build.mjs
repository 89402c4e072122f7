// Compiles src and servers to dist. npm runs it after an install, too ("prepare").
import { chmodSync, existsSync, rmSync } from 'node:fs';
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
// npx links the command instead of copying it, so the file itself has to be executable.
for (const command of ['dist/src/cli/main.js']) if (existsSync(command)) chmodSync(command, 0o755);
process.exit(status ?? 1);
