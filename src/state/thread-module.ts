import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/**
 * Where a thread's module is, given the module that asks and a path in `src`, without its ending. The folder is
 * found by its name, because a bundle moves the asking module to another depth; the compiled modules of threads
 * stay at their place.
 */
export function threadModule(askedBy: string, pathInSource: string): URL {
  const folder = '/src/';
  const end = askedBy.lastIndexOf(folder) + folder.length;
  const ending = askedBy.endsWith('.ts') ? '.ts' : '.js';
  return new URL(askedBy.slice(0, end) + pathInSource + ending);
}

/** What a thread is started with. Run from its TypeScript source, it first needs a loader, which is not inherited. */
export function bootModule(module: URL): URL {
  if (!module.pathname.endsWith('.ts')) return module;
  // `require` finds the form of the loader that threads cannot use; the other lies beside it.
  const loader = pathToFileURL(
    createRequire(module)
      .resolve('tsx/esm/api')
      .replace(/\.cjs$/, '.mjs'),
  ).href;
  const code = `import { register } from '${loader}'; register(); await import('${module.href}');`;
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`);
}
