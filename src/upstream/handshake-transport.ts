import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { asGatewayError, type GatewayError, MODERN_VERSIONS } from '../domain/index.ts';
import { type Frame, scanFrame, textAt } from '../wire/index.ts';
import type { Channel } from './channel.ts';
import { errorMessageOf, HttpRejection, rejectionOf } from './failures.ts';
import { tolerantResult } from './handshake-answer.ts';

export interface HandshakeTransportOptions {
  readonly channel: Channel;
  readonly kind: 'stdio' | 'http';
  readonly timeoutMs: number;
  /** Makes the error that the client's classification expects of an HTTP transport. */
  readonly httpError: (rejection: HttpRejection) => Error;
  /** The error of an answer with an error status, and of one that is no JSON. */
  readonly refused: (rejection: HttpRejection, message: string) => GatewayError;
  readonly malformed: () => GatewayError;
  /** A modern answer to the probe came after the probe was given up. */
  readonly onLateModern: () => void;
}

/** What the handshake brought to light besides the client's own verdict. */
export interface HandshakeRecord {
  /** The last result of `server/discover` or `initialize`, unknown members included. */
  result: Record<string, unknown> | undefined;
  /** Why the last request of the handshake failed, and which it was. */
  failure: { readonly method: string; readonly error: GatewayError } | undefined;
  hasInitialized: boolean;
  /** Whether anything came back at all. */
  hasAnswer: boolean;
}

type Request = Extract<JSONRPCMessage, { method: string }> & { readonly params?: Record<string, unknown> };

/**
 * The SDK client's view of a channel, for the length of one handshake. The client recognises a stdio
 * transport by its `pid` and `stderr`, and then takes silence and an early end as signs of the old era.
 */
export function handshakeTransport(options: HandshakeTransportOptions): {
  readonly transport: Transport;
  readonly record: HandshakeRecord;
} {
  const record: HandshakeRecord = {
    result: undefined,
    failure: undefined,
    hasInitialized: false,
    hasAnswer: false,
  };
  const transport: Transport = {
    start: () => Promise.resolve(),
    close: () => Promise.resolve(),
    setProtocolVersion: (version) => {
      options.channel.agreed(MODERN_VERSIONS.includes(version) ? 'modern' : 'legacy', version);
    },
    send: (message) => {
      if (!('method' in message)) return Promise.resolve();
      if (message.method === 'server/discover') declareNothing(message as Request);
      if (!('id' in message)) return deliver(options.channel, message);
      const answered = request(message as Request, transport, options, record);
      if (options.kind === 'http') return answered;
      // On a pipe a request counts as sent at once; its failure is the end of the channel.
      answered.catch(() => transport.onclose?.());
      return Promise.resolve();
    },
  };
  if (options.kind === 'stdio') Object.assign(transport, { stderr: null, pid: options.channel.pid ?? null });
  return { transport, record };
}

function request(
  message: Request,
  transport: Transport,
  options: HandshakeTransportOptions,
  record: HandshakeRecord,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const answer = (frame: Frame, status: number): void => {
      record.hasAnswer = true;
      if (status >= 400) {
        const rejection = new HttpRejection(status, frame.bytes.toString('utf8'));
        record.failure = { method: message.method, error: options.refused(rejection, errorMessageOf(frame)) };
        return reject(options.httpError(rejection));
      }
      const parsed = parseResponse(frame, message.method);
      if (parsed === undefined) return fail(options.malformed());
      if (isLate(message, parsed, record)) return options.onLateModern();
      if ('result' in parsed) record.result = parsed['result'] as Record<string, unknown>;
      transport.onmessage?.(parsed as unknown as JSONRPCMessage);
      resolve();
    };
    const fail = (error: GatewayError): void => {
      record.failure = { method: message.method, error };
      const rejection = rejectionOf(error);
      reject(rejection === undefined ? error : options.httpError(rejection));
    };
    record.hasInitialized ||= message.method === 'initialize';
    record.failure = undefined;
    options.channel.call(
      {
        method: message.method,
        frame: scanFrame(Buffer.from(JSON.stringify(message))),
        headers: probeHeaders(message),
        wantsWhole: true,
        idleMs: options.timeoutMs,
        maxMs: options.timeoutMs,
        isOwn: true,
      },
      {
        message: () => undefined,
        response: answer,
        responseStart: () => undefined,
        responseChunk: () => true,
        responseEnd: () => undefined,
        failure: fail,
      },
    );
  });
}

/** Some servers refuse the note that the handshake is complete, and work all the same. */
async function deliver(channel: Channel, message: JSONRPCMessage): Promise<void> {
  try {
    await channel.deliver(Buffer.from(JSON.stringify(message)));
  } catch (error) {
    if (asGatewayError(error, 'a note was not delivered').code !== 'UPSTREAM_REFUSED') throw error;
  }
}

/** What the gateway can do for a server depends on the caller, so the probe declares nothing. */
function declareNothing(message: Request): void {
  const meta = message.params?._meta;
  if (meta !== undefined) meta['io.modelcontextprotocol/clientCapabilities'] = {};
}

/** Before a revision is agreed, a modern request's headers come from its own envelope. */
function probeHeaders(message: Request): string[] {
  const meta = message.params?._meta;
  const version = meta?.['io.modelcontextprotocol/protocolVersion'];
  return typeof version === 'string' ? ['mcp-protocol-version', version, 'mcp-method', message.method] : [];
}

function parseResponse(frame: Frame, method: string): Record<string, unknown> | undefined {
  try {
    const message = JSON.parse(textAt(frame.bytes, frame.root)) as Record<string, unknown>;
    if ('result' in message) message['result'] = tolerantResult(method, message['result']);
    return message;
  } catch {
    // The scanner reads envelopes only; what is inside one may still be no JSON.
    return undefined;
  }
}

/** The answer to a probe that was given up for `initialize`: a slow start, not an old server. */
function isLate(message: Request, answer: Record<string, unknown>, record: HandshakeRecord): boolean {
  return message.method === 'server/discover' && record.hasInitialized && isModernResult(answer);
}

function isModernResult(message: Record<string, unknown>): boolean {
  const versions = (message['result'] as { supportedVersions?: unknown } | undefined)?.supportedVersions;
  return Array.isArray(versions) && versions.some((version) => MODERN_VERSIONS.includes(version as string));
}
