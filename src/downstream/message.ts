import { GatewayError } from '../domain/index.ts';
import { type Frame, JsonScanError, type Member, scanFrame } from '../wire/index.ts';

export type Fields = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** One message of a host: its bytes with their spans, and its params as a value. */
export interface HostMessage {
  readonly frame: Frame;
  readonly params: Fields;
  readonly paramsSpan: Member | undefined;
  readonly meta: Fields;
}

/**
 * Reads a message that was parsed already. `params: null` counts as absent, as some hosts write it.
 *
 * @throws GatewayError REQUEST_INVALID when it is not JSON-RPC 2.0 or can be read in two ways
 */
export function readMessage(bytes: Buffer, value: unknown): HostMessage {
  if (!isRecord(value))
    throw new GatewayError('REQUEST_INVALID', 'Invalid request: a message is one JSON object');
  const params = value['params'] ?? {};
  if (!isRecord(params))
    throw new GatewayError('REQUEST_INVALID', 'Invalid request: "params" is not an object');
  const frame = scan(bytes);
  const span = frame.members.get('params');
  const meta = params['_meta'] ?? {};
  if (!isRecord(meta)) throw new GatewayError('REQUEST_INVALID', 'Invalid request: "_meta" is not an object');
  return { frame, params, paramsSpan: value['params'] === null ? undefined : span, meta };
}

function scan(bytes: Buffer): Frame {
  try {
    return scanFrame(bytes);
  } catch (error) {
    if (error instanceof JsonScanError)
      throw new GatewayError('REQUEST_INVALID', `Invalid request: ${error.message}`);
    throw error;
  }
}
