import {
  childEnvironment,
  type HttpTransportConfig,
  type StdioTransportConfig,
  type TransportConfig,
} from '../config/index.ts';
import type { GatewayError } from '../domain/index.ts';
import type { Channel, ChannelCall, ChannelEvents } from './channel.ts';
import type { CallHandle, CallSink, UpstreamIdentity } from './connection.ts';
import type { Fail } from './failures.ts';
import { openHttpChannel } from './http-channel.ts';
import { openHttpOrigin } from './http-origin.ts';
import { negotiate, type NegotiationMode } from './negotiate.ts';
import type { PendingCall } from './pending-call.ts';
import { openSseChannel } from './sse-channel.ts';
import { openStdioChannel } from './stdio-channel.ts';
import type { UpstreamDeps } from './upstream-deps.ts';

export interface OpenOptions {
  readonly deps: UpstreamDeps;
  readonly fail: Fail;
  readonly mode: NegotiationMode;
  /** Declared in a legacy handshake. */
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly events: ChannelEvents;
  readonly ended: (call: PendingCall) => void;
  readonly resend: (call: ChannelCall, sink: CallSink) => CallHandle;
  /** Gets the function that gives the attempt up. */
  readonly abortable: (abort: (error: GatewayError) => void) => void;
  /** Takes note of an ending that outlives the attempt. */
  readonly track: (ending: Promise<void>) => void;
}

export interface Opened {
  readonly channel: Channel;
  readonly identity: UpstreamIdentity;
  readonly transport: 'stdio' | 'http' | 'sse';
}

/** A process that is silent for this long is asked in the older way as well; only an answer decides. */
const STDIO_PROBE_MS = 3_000;

/** What must end when the attempt fails: set as soon as there is something. */
interface Attempt {
  readonly options: OpenOptions;
  dispose: () => Promise<void>;
  /** Why the attempt was given up, once it was. */
  abortion: GatewayError | undefined;
}

type Plan =
  | { readonly transport: 'stdio'; readonly config: StdioTransportConfig; readonly mode: NegotiationMode }
  | {
      readonly transport: 'http' | 'sse';
      readonly config: HttpTransportConfig;
      readonly mode: NegotiationMode;
    };

/**
 * Opens one connection within the server's connect deadline: reaches the server, finds its era, and
 * falls back from Streamable HTTP to HTTP+SSE where the configuration leaves that open.
 * @throws GatewayError (UPSTREAM_*)
 */
export async function openConnection(options: OpenOptions): Promise<Opened> {
  const { connectMs } = options.deps.server.timeouts;
  const attempt: Attempt = { options, dispose: () => Promise.resolve(), abortion: undefined };
  // Ending what was opened fails what waits for it, so neither way of giving up needs a race of its own.
  const abort = (error: GatewayError): void => {
    attempt.abortion ??= error;
    options.track(attempt.dispose());
  };
  options.abortable(abort);
  const cancel = options.deps.clock.after(connectMs, () => {
    const data = { timeoutMs: connectMs };
    abort(options.fail('UPSTREAM_TIMEOUT', `did not open within ${connectMs} ms`, { data }));
  });
  try {
    return await follow(attempt, firstPlan(options.deps.server.transport, options.mode));
  } catch (error) {
    options.track(attempt.dispose());
    throw attempt.abortion ?? error;
  } finally {
    cancel();
  }
}

const firstPlan = (config: TransportConfig, mode: NegotiationMode): Plan =>
  config.kind === 'stdio'
    ? { transport: 'stdio', config, mode }
    : { transport: config.kind === 'sse' ? 'sse' : 'http', config, mode };

async function follow(attempt: Attempt, plan: Plan): Promise<Opened> {
  const { deps, fail, capabilities } = attempt.options;
  stopIfAborted(attempt);
  const channel = await openChannel(attempt, plan);
  attempt.dispose = () => channel.close();
  // Given up while the channel opened: what would have ended it was not there yet.
  stopIfAborted(attempt);
  const outcome = await negotiate({
    channel,
    kind: plan.transport === 'stdio' ? 'stdio' : 'http',
    mode: plan.transport === 'sse' ? 'legacy' : plan.mode,
    clientInfo: deps.clientInfo,
    capabilities,
    probeMs: deps.probeMs ?? Math.min(STDIO_PROBE_MS, deps.server.timeouts.connectMs / 3),
    fail,
  });
  if (outcome.kind === 'agreed') {
    channel.established();
    return { channel, identity: outcome.identity, transport: plan.transport };
  }
  if (outcome.kind === 'restart') {
    await channel.close();
    return follow(attempt, { ...plan, mode: outcome.mode });
  }
  if (outcome.kind === 'failed' || plan.transport !== 'http' || plan.config.kind !== 'auto')
    throw outcome.error;
  await channel.close();
  return followOlder(attempt, { ...plan, transport: 'sse' }, outcome.error);
}

function stopIfAborted({ abortion }: Attempt): void {
  if (abortion !== undefined) throw abortion;
}

/** When the older way fails too, the error of the first is the one that helps: it is the transport of today. */
async function followOlder(attempt: Attempt, plan: Plan, first: GatewayError): Promise<Opened> {
  try {
    return await follow(attempt, plan);
  } catch (error) {
    attempt.options.deps.logger.debug({ err: error }, 'server does not speak HTTP+SSE either');
    throw first;
  }
}

async function openChannel(attempt: Attempt, plan: Plan): Promise<Channel> {
  const { deps, fail, events, ended, resend } = attempt.options;
  const common = {
    deadlines: deps.runtime.deadlines,
    fail,
    logger: deps.logger,
    events,
    ended,
    messageBytes: deps.messageBytes,
  };
  if (plan.transport === 'stdio') {
    const { command, args, cwd } = plan.config;
    const env = childEnvironment(deps.gatewayEnv, plan.config);
    return openStdioChannel({
      ...common,
      command,
      args,
      cwd,
      env,
      reaper: deps.runtime.reaper,
      redact: deps.redact,
    });
  }
  const { url, headers } = plan.config;
  const { maxConcurrency, timeouts } = deps.server;
  const origin = await openHttpOrigin({ url, headers, connectMs: timeouts.connectMs, maxConcurrency, fail });
  attempt.dispose = () => origin.close();
  return plan.transport === 'sse'
    ? openSseChannel({ ...common, origin })
    : openHttpChannel({ ...common, origin, resend, after: deps.clock.after });
}
