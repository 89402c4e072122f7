import { GatewayError } from '../domain/index.ts';
import type { CallSink, UpstreamConnection } from '../upstream/index.ts';
import { type Frame, requestFrame, scanFrame } from '../wire/index.ts';

const OWN_ID = '"tollgate"';

export interface OwnRequest {
  readonly method: string;
  readonly paramsText: string;
  readonly timeoutMs: number;
}

/**
 * Makes a request of the gateway's own on an open connection; resolves with the response frame, errors included.
 * Rejects with a `GatewayError` when no response came.
 */
export function ownRequest(connection: UpstreamConnection, request: OwnRequest): Promise<Frame> {
  return new Promise((resolve, reject) => {
    const fault = (): void => reject(new GatewayError('UPSTREAM_MALFORMED', 'The answer is too large'));
    const sink: CallSink = {
      message: () => undefined,
      response: (frame) => resolve(frame),
      responseStart: fault,
      responseChunk: () => true,
      responseEnd: () => undefined,
      failure: reject,
    };
    connection.call(
      {
        method: request.method,
        frame: scanFrame(Buffer.from(requestFrame(OWN_ID, request.method, request.paramsText))),
        headers: [],
        wantsWhole: true,
        idleMs: request.timeoutMs,
        maxMs: request.timeoutMs,
      },
      sink,
    );
  });
}
