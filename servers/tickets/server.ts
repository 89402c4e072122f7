import { McpServer, type McpServerFactory } from '@modelcontextprotocol/server';
import type { ArchiveMode } from './archive-mode.ts';
import type { Change, Changes } from './changes.ts';
import { registerPrompts } from './prompts.ts';
import { registerResources } from './resources.ts';
import type { Store } from './store.ts';
import { ticketUri } from './ticket.ts';
import { registerExportTool } from './tools-export.ts';
import { registerReadTools } from './tools-read.ts';
import { registerArchiveTools, registerStateTools } from './tools-state.ts';
import { registerCommentTool, registerSortingTools, registerTextTools } from './tools-write.ts';

export interface Tracker {
  readonly store: Store;
  readonly changes: Changes;
  readonly archiveMode: ArchiveMode;
}

export interface ServerKind {
  readonly era: 'legacy' | 'modern';
  /** Whether the instance outlives one request and so has somebody to notify. */
  readonly lasting: boolean;
}

const INSTRUCTIONS = [
  'A ticket tracker. Ids look like TK-101.',
  'Use search when you know what a ticket is about, list to walk through tickets by state or team, and get for one in full.',
  'Search before you create. Write to a ticket with comment; update replaces what is there.',
].join(' ');

/** Legacy clients subscribe with a request of their own, and only they are kept in this set. */
function keepSubscriptions(server: McpServer): Set<string> {
  const uris = new Set<string>();
  server.server.setRequestHandler('resources/subscribe', ({ params }) => {
    uris.add(params.uri);
    return {};
  });
  server.server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    uris.delete(params.uri);
    return {};
  });
  return uris;
}

/** Builds one server for one connection or one request; all of them share the tracker. */
export function buildServer(tracker: Tracker, kind: ServerKind): McpServer {
  const { store, changes, archiveMode } = tracker;
  const server = new McpServer(
    { name: 'tickets', title: 'Ticket tracker', version: '1.0.0' },
    { instructions: INSTRUCTIONS, capabilities: { resources: { subscribe: true, listChanged: true } } },
  );
  registerReadTools(server, store);
  registerTextTools(server, store);
  registerCommentTool(server, store);
  registerSortingTools(server, store);
  registerStateTools(server, store);
  registerExportTool(server, store);
  const archive = registerArchiveTools(server, store, archiveMode);
  registerResources(server, store);
  registerPrompts(server, store);

  const subscribed = kind.era === 'legacy' ? keepSubscriptions(server) : undefined;
  if (!kind.lasting) return server;

  // On the modern revision the serving entry filters by what each stream asked for; on the legacy ones it is up to us.
  const wants = (uri: string): boolean => subscribed === undefined || subscribed.has(uri);
  const tell = (change: Change): void => {
    if (change.kind === 'tools') archive.update({ enabled: archiveMode.isOn() });
    else if (change.kind === 'ticket-list') server.sendResourceListChanged();
    else if (wants(ticketUri(change.id)) && server.isConnected()) {
      void server.server.sendResourceUpdated({ uri: ticketUri(change.id) }).catch(server.server.onerror);
    }
  };
  const stop = changes.subscribe(tell);
  server.server.onclose = stop;
  return server;
}

export function factoryFor(tracker: Tracker, lasting: boolean): McpServerFactory {
  return ({ era }) => buildServer(tracker, { era, lasting });
}
