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
