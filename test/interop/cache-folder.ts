import { resolve } from 'node:path';

/** Where the suite keeps what it installs. Below `node_modules`, so that nothing of the project looks into it. */
export const cacheFolder: string =
  process.env['TOLLGATE_INTEROP_CACHE'] ??
  resolve(import.meta.dirname, '../../node_modules/.cache/tollgate-interop');
