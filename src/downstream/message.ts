import { GatewayError } from '../domain/index.ts';
import { type Frame, JsonScanError, type Member, scanFrame, textAt } from '../wire/index.ts';

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
  if (!isRecord(value)) throw invalid('a message is one JSON object');
  const frame = scan(bytes);
  refuseId(frame);
  const params = value['params'] ?? {};
  if (!isRecord(params)) throw invalid('"params" is not an object');
  const span = frame.members.get('params');
  const meta = params['_meta'] ?? {};
  if (!isRecord(meta)) throw invalid('"_meta" is not an object');
  return { frame, params, paramsSpan: value['params'] === null ? undefined : span, meta };
}

function scan(bytes: Buffer): Frame {
  try {
    return scanFrame(bytes);
  } catch (error) {
    if (error instanceof JsonScanError) throw invalid(error.message);
    throw error;
  }
}

/** A request under an id that no answer could carry must not pass for a notification, which gets none. */
function refuseId(frame: Frame): void {
  const id = frame.members.get('id');
  if (frame.kind !== 'notification' || id === undefined) return;
  const isAbsent = textAt(frame.bytes, id) === 'null' && frame.method?.startsWith('notifications/') === true;
  if (!isAbsent) throw invalid('"id" is neither a string nor a number');
}

const invalid = (what: string): GatewayError =>
  new GatewayError('REQUEST_INVALID', `Invalid request: ${what}`);
