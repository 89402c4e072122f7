import { type GatewayError, LEGACY_VERSIONS, MODERN_VERSIONS } from '../domain/index.ts';
import type { Channel } from './channel.ts';
import type { UpstreamIdentity } from './connection.ts';
import { type Fail, rejectionOf } from './failures.ts';
import { type HandshakeRecord, handshakeTransport } from './handshake-transport.ts';

export type NegotiationMode = 'auto' | 'modern' | 'legacy';

export interface ClientInfo {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
}

export interface NegotiationOptions {
  readonly channel: Channel;
  readonly kind: 'stdio' | 'http';
  readonly mode: NegotiationMode;
  readonly clientInfo: ClientInfo;
  /** Declared in a legacy handshake. */
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** How long a process may be silent to the probe before it is asked in the older way as well. */
  readonly probeMs: number;
  readonly fail: Fail;
}

export type Negotiation =
  | { readonly kind: 'agreed'; readonly identity: UpstreamIdentity }
  /** The process ended on the probe, or turned out to be modern after the probe was given up: start it anew. */
  | { readonly kind: 'restart'; readonly mode: 'modern' | 'legacy' }
  /** The URL does not speak Streamable HTTP, as far as the answer tells. */
  | { readonly kind: 'older'; readonly error: GatewayError }
  | { readonly kind: 'failed'; readonly error: GatewayError };

/** The attempt as a whole has one deadline, kept by whoever opened the channel. The longest that a timer takes. */
const NEVER_MS = 2 ** 31 - 1;
const OLDER_STATUSES: ReadonlySet<number> = new Set([400, 404, 405]);

/** Finds the era of a peer and opens with it. The SDK is loaded here, when a server is first needed. */
export async function negotiate(options: NegotiationOptions): Promise<Negotiation> {
  const { Client, SdkErrorCode, SdkHttpError } = await import('@modelcontextprotocol/client');
  const { channel, fail } = options;
  let reportLate = (): void => undefined;
  const late = new Promise<'late'>((resolve) => {
    reportLate = () => resolve('late');
  });
  const { transport, record } = handshakeTransport({
    channel,
    kind: options.kind,
    timeoutMs: NEVER_MS,
    httpError: ({ status, bodyText }) =>
      new SdkHttpError(SdkErrorCode.ClientHttpFailedToOpenStream, `HTTP ${status}`, {
        status,
        text: bodyText,
      }),
    refused: (cause, message) =>
      fail('UPSTREAM_REFUSED', `refused the handshake (HTTP ${cause.status}): ${message}`, {
        data: { status: cause.status },
        cause,
      }),
    malformed: () => fail('UPSTREAM_MALFORMED', 'answered the handshake with something that is no JSON'),
    onLateModern: () => reportLate(),
  });
  const client = new Client(options.clientInfo, {
    capabilities: options.capabilities,
    supportedProtocolVersions: [...MODERN_VERSIONS, ...LEGACY_VERSIONS],
    versionNegotiation: {
      mode: modeFor(options.mode),
      probe: { timeoutMs: probeLimitMs(options) },
    },
  });
  try {
    const connected = client.connect(transport, { timeout: NEVER_MS });
    connected.catch(() => undefined);
    if ((await Promise.race([connected, late])) === 'late') return { kind: 'restart', mode: 'modern' };
  } catch (error) {
    return failed(error, record, options);
  }
  return { kind: 'agreed', identity: identityOf(client.getNegotiatedProtocolVersion(), record) };
}

/** Where there is no older way to fall back to, there is no reason to hurry. */
const probeLimitMs = ({ kind, mode, probeMs }: NegotiationOptions): number =>
  kind === 'stdio' && mode === 'auto' ? probeMs : NEVER_MS;

const modeFor = (mode: NegotiationMode): 'auto' | 'legacy' | { pin: string } =>
  mode === 'modern' ? { pin: MODERN_VERSIONS[0] ?? '' } : mode;

function identityOf(version: string | undefined, record: HandshakeRecord): UpstreamIdentity {
  const protocolVersion = version ?? '';
  const result = record.result ?? {};
  const isModern = MODERN_VERSIONS.includes(protocolVersion);
  const meta = result['_meta'] as Record<string, unknown> | undefined;
  const info = isModern ? meta?.['io.modelcontextprotocol/serverInfo'] : result['serverInfo'];
  const { instructions } = result;
  return {
    era: isModern ? 'modern' : 'legacy',
    protocolVersion,
    capabilities: result['capabilities'] as Record<string, unknown>,
    serverInfo: typeof info === 'object' && info !== null ? (info as Record<string, unknown>) : undefined,
    instructions: typeof instructions === 'string' ? instructions : undefined,
  };
}

function failed(error: unknown, record: HandshakeRecord, options: NegotiationOptions): Negotiation {
  const { channel, fail } = options;
  const { failure } = record;
  if (failure === undefined) return { kind: 'failed', error: unexplained(error, fail) };
  // Whatever else it was sent by then, the first thing that it read was the probe.
  const diedOnProbe = options.kind === 'stdio' && !record.hasAnswer && !channel.isOpen;
  if (diedOnProbe && options.mode === 'auto') return { kind: 'restart', mode: 'legacy' };
  const status = rejectionOf(failure.error)?.status;
  if (failure.method === 'initialize' && status !== undefined && OLDER_STATUSES.has(status)) {
    return { kind: 'older', error: failure.error };
  }
  return { kind: 'failed', error: failure.error };
}

/** The peer answered, but not with what the handshake needs. */
function unexplained(error: unknown, fail: Fail): GatewayError {
  const { code, message } = error as { code?: unknown; message?: string };
  if (code === 'REQUEST_TIMEOUT')
    return fail('UPSTREAM_TIMEOUT', 'did not answer the handshake', { cause: error });
  if (typeof code === 'number') {
    return fail('UPSTREAM_REFUSED', `refused the handshake: ${message ?? ''} (${code})`, {
      data: { upstreamCode: code },
      cause: error,
    });
  }
  const what = `cannot be spoken with: ${(message ?? '').split('\n', 1)[0] ?? ''}`;
  return fail('UPSTREAM_UNSUPPORTED', what, { cause: error });
}
