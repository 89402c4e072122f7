/**
 * Lets the conformance suite start on Node 20: `node --import ./node20-shim.mjs SUITE`.
 *
 * The suite imports `globSync` from `fs`, which Node has only from 22 on, and a missing name stops an
 * ES module graph before its first line runs. Only a command this project does not use calls it, so here
 * the suite's own `fs` import is answered by a module that re-exports everything and adds that name.
 */
import fs from 'node:fs';
import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const SUITE_FOLDER = '/@modelcontextprotocol/conformance/';
const STAND_IN_URL = 'tollgate-conformance:fs';

// The loader thread evaluates this same file for its hooks; only the main thread registers it.
if (isMainThread && typeof fs.globSync !== 'function') register(import.meta.url);

/** @type {import('node:module').ResolveHook} */
export async function resolve(specifier, context, nextResolve) {
  const fromSuite = context.parentURL?.includes(SUITE_FOLDER) === true;
  if (fromSuite && specifier === 'fs') return { url: STAND_IN_URL, shortCircuit: true };
  return nextResolve(specifier, context);
}

/** @type {import('node:module').LoadHook} */
export async function load(url, context, nextLoad) {
  if (url !== STAND_IN_URL) return nextLoad(url, context);
  const source = [
    `import fs from 'node:fs';`,
    `export * from 'node:fs';`,
    `export default fs;`,
    `export function globSync() { throw new Error('fs.globSync needs Node 22 or later'); }`,
  ].join('\n');
  return { format: 'module', source, shortCircuit: true };
}
