#!/usr/bin/env node
// Starts the compiled server, so that a host can name a path that is the same in a clone and in the package.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const compiled = new URL('../../dist/servers/site-search/main.js', import.meta.url);

if (existsSync(compiled)) {
  const { main } = await import(compiled.href);
  await main({
    argv: process.argv.slice(2),
    contentDir: fileURLToPath(new URL('./content', import.meta.url)),
  });
} else {
  process.stderr.write(
    `site-search: ${fileURLToPath(compiled)} does not exist. Run "npm run build" in the package folder first.\n`,
  );
  process.exitCode = 1;
}
