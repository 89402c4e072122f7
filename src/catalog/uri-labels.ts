import type { ServerId } from '../domain/index.ts';
import { shortHash } from './short-hash.ts';

export interface NamedServer {
  readonly id: ServerId;
  readonly namespace: string;
}

/** The labels of the servers in marked URIs, both ways. */
export interface UriLabels {
  of(server: ServerId): string;
  /** The server of a label, in whatever case a host wrote it. */
  serverOf(label: string): ServerId | undefined;
}

/**
 * A server's label is its namespace. An authority has no case, so namespaces that differ in it alone get a
 * hash of their server's id, and so does a server without a namespace whose id is taken.
 */
export function createUriLabels(servers: readonly NamedServer[]): UriLabels {
  const labels = new Map<ServerId, string>();
  const owners = new Map<string, ServerId>();
  const give = (server: NamedServer, base: string, isTaken: boolean): void => {
    const label = isTaken || base === '' ? `${base}-${shortHash(server.id)}` : base;
    labels.set(server.id, label);
    owners.set(label.toLowerCase(), server.id);
  };
  const named = servers.filter(({ namespace }) => namespace !== '');
  const isShared = (server: NamedServer): boolean =>
    named.some((other) => other !== server && isSameButCase(other.namespace, server.namespace));
  for (const server of named) give(server, server.namespace, isShared(server));
  for (const server of servers.filter(({ namespace }) => namespace === '')) {
    const base = server.id.replace(/[^A-Za-z0-9-]+/g, '-');
    give(server, base, owners.has(base.toLowerCase()));
  }
  return {
    of: (server) => labels.get(server) ?? '',
    serverOf: (label) => owners.get(label.toLowerCase()),
  };
}

const isSameButCase = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
