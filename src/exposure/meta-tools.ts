import type { MetaToolNames } from '../config/index.ts';

/** The most hits that one search gives. */
export const MAX_LIMIT = 50;
export const DEFAULT_LIMIT = 10;
/** The most queries in one search. */
export const MAX_QUERIES = 8;
/** How much of each hit a search shows. */
export const DETAILS = ['full', 'signatures', 'names'] as const;
export type Detail = (typeof DETAILS)[number];

/** The definitions of the gateway's own tools, as JSON text; `index` says what there is to be found. */
export interface MetaDefinitions {
  readonly search: string;
  readonly call: string;
}

/** Every word here is paid for with each request of a model, so there are few. */
export function metaDefinitions(names: MetaToolNames, index: string): MetaDefinitions {
  const search = {
    name: names.search,
    description:
      `Finds tools. Ask for service, action and object, one need a query. Run a found tool with ${names.call}.` +
      (index === '' ? '' : `\n${index}`),
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string' },
        queries: { type: 'array', items: { type: 'string' } },
        server: { type: 'string' },
        limit: { type: 'integer' },
        detail: { enum: DETAILS },
      },
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  };
  const call = {
    name: names.call,
    description: 'Runs any tool by its name, listed or not.',
    inputSchema: {
      type: 'object',
      properties: { name: { type: 'string' }, arguments: { type: 'object' } },
      required: ['name'],
    },
  };
  return { search: JSON.stringify(search), call: JSON.stringify(call) };
}
