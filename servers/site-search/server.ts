import { McpServer } from '@modelcontextprotocol/server';
import { registerPrompts } from './prompts.ts';
import { registerResources } from './resources.ts';
import type { Site } from './site.ts';
import { registerTools } from './tools.ts';
import { describeTracks } from './track-schema.ts';

const VERSION = '1.0.0';

/** Nothing changes while the process lives; the limit lets a restart with other content be noticed. */
const CACHE_HINT = { ttlMs: 300_000, cacheScope: 'public' } as const;

/**
 * Builds one server instance over a loaded site. The transports call it for each request or connection, in
 * the era that the client speaks; it is cheap, because all that costs time is in the site already.
 */
export function createSiteServer(site: Site): McpServer {
  const server = new McpServer(
    { name: 'site-search', title: 'Site search', version: VERSION },
    {
      instructions: writeInstructions(site),
      // The lists are fixed at start, so no change will ever be announced.
      capabilities: {
        tools: { listChanged: false },
        resources: { listChanged: false },
        prompts: { listChanged: false },
      },
      cacheHints: {
        'tools/list': CACHE_HINT,
        'prompts/list': CACHE_HINT,
        'resources/list': CACHE_HINT,
        'resources/templates/list': CACHE_HINT,
        'resources/read': CACHE_HINT,
      },
    },
  );
  registerTools(server, site);
  registerResources(server, site.corpus);
  registerPrompts(server, site);
  return server;
}

function writeInstructions({ corpus }: Site): string {
  return [
    `A library of ${corpus.chapters.length} chapters in ${corpus.tracks.length} tracks: ${describeTracks(corpus.tracks)}.`,
    'Call search_site for passages on a question, list_chapters to browse a track, and read',
    'chapter://{track}/{chapter_id} for a whole chapter. Cite the uri of what you use.',
  ].join(' ');
}
