import type { Snapshot } from '../catalog/index.ts';
import type { Era, ServerId } from '../domain/index.ts';
import type { HostRequest } from './host.ts';

/** What a response's bytes depend on, besides themselves. */
export interface InboundContext {
  readonly request: HostRequest;
  readonly server: ServerId;
  readonly upstreamEra: Era;
  /** Knows the exposed form of the server's URIs; undefined when they need no rewriting. */
  readonly uris: Pick<Snapshot, 'exposeUri'> | undefined;
}
