import { GatewayError } from '../domain/index.ts';
import { type Frame, scanFrame } from '../wire/index.ts';
import type { Channel } from './channel.ts';
import type { CallHandle } from './connection.ts';

export interface OwnRequest {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly headers?: readonly string[];
  readonly idleMs: number;
  readonly maxMs: number;
}

export interface OwnResponse {
  readonly frame: Frame;
  readonly status: number;
}

/** The gateway's own request on a channel, as a promise: for the control plane, never for a host's call. */
export function exchange(
  channel: Pick<Channel, 'call'>,
  request: OwnRequest,
  onMessage: (frame: Frame) => void = () => undefined,
  onHandle: (handle: CallHandle) => void = () => undefined,
): Promise<OwnResponse> {
  return new Promise((resolve, reject) => {
    const message = { jsonrpc: '2.0', id: 0, method: request.method, params: request.params };
    const handle = channel.call(
      {
        method: request.method,
        frame: scanFrame(Buffer.from(JSON.stringify(message))),
        headers: request.headers ?? [],
        wantsWhole: true,
        idleMs: request.idleMs,
        maxMs: request.maxMs,
        isOwn: true,
      },
      {
        message: onMessage,
        response: (frame, status) => resolve({ frame, status }),
        failure: reject,
        ...NEVER_STREAMED,
      },
    );
    onHandle(handle);
  });
}

const unexpected = (): never => {
  throw new GatewayError('INTERNAL', 'a request for a whole response was answered in pieces');
};
const NEVER_STREAMED = { responseStart: unexpected, responseChunk: unexpected, responseEnd: unexpected };
