import type { ServerConfig } from '../config/index.ts';
import type { Clock } from '../domain/index.ts';
import type { UpstreamLogger } from './channel.ts';
import type { ConnectionEvents } from './connection.ts';
import type { Deadlines } from './deadlines.ts';
import type { ClientInfo } from './negotiate.ts';
import type { Reaper } from './process-group.ts';
import type { UpstreamEvents } from './upstream.ts';

/** What all upstreams of one gateway share: one timer, and one watch over child processes. */
export interface UpstreamRuntime {
  readonly deadlines: Deadlines;
  readonly reaper: Reaper;
}

export interface UpstreamDeps {
  readonly server: ServerConfig;
  readonly logger: UpstreamLogger;
  readonly clock: Clock;
  readonly events: UpstreamEvents & ConnectionEvents;
  /** How the gateway introduces itself. */
  readonly clientInfo: ClientInfo;
  /** The gateway's own environment, from which a child gets a safe part. */
  readonly gatewayEnv: Readonly<Record<string, string | undefined>>;
  readonly runtime: UpstreamRuntime;
  /** The largest message that is taken from a server. */
  readonly messageBytes: number;
  /** Hides secrets in what a process printed; what it returns may stand in an error. */
  readonly redact: (text: string) => string;
  /** How long a process may be silent to the probe before it is asked in the older way as well. */
  readonly probeMs?: number;
  readonly random?: () => number;
}
