import type { GatewayError, Seat } from '../domain/index.ts';
import { childMembers, type Edit, type Frame, scanFrame, splice, textAt, withId } from '../wire/index.ts';
import type { ChannelCall } from './channel.ts';
import type { CallHandle, CallSink } from './connection.ts';
import type { Deadlines, Timed } from './deadlines.ts';
import { errorCodeOf, type Fail, HEADER_MISMATCH, UNSUPPORTED_VERSION } from './failures.ts';

/** What a call needs of the table that it stands in. */
export interface CallTable {
  readonly deadlines: Deadlines;
  readonly fail: Fail;
  /** True once a revision of the modern era was agreed. */
  readonly isModern: boolean;
  add(call: PendingCall): void;
  remove(call: PendingCall): void;
  /** The peer no longer speaks what was agreed: the channel must be opened anew. */
  outdated(error: GatewayError): void;
}

/**
 * One request from the moment it is accepted to its one end: keeps the caller's id and progress token,
 * the deadlines, and the promise that exactly one ending reaches the sink.
 */
export abstract class PendingCall implements CallHandle, Timed {
  readonly call: ChannelCall;
  readonly sink: CallSink;
  /** The id on this hop, as JSON text. */
  readonly wireId: string;
  readonly isRemapped: boolean;
  /** Its seats in the table and at the timer, from the moment it stands there. */
  seats: { readonly table: Seat<PendingCall>; readonly deadline: Seat<Timed> } | undefined;
  protected readonly table: CallTable;
  #token: string | undefined;
  #startedAtMs: number;
  #lastSignAtMs: number;
  #isEnded = false;

  /** @param wireId the id to use on this hop; undefined keeps the caller's. */
  constructor(table: CallTable, call: ChannelCall, sink: CallSink, wireId: string | undefined) {
    this.table = table;
    this.call = call;
    this.sink = sink;
    this.isRemapped = wireId !== undefined;
    this.wireId = wireId ?? call.frame.idText ?? 'null';
    this.#startedAtMs = this.#lastSignAtMs = table.deadlines.now();
    table.add(this);
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** The request's bytes for this hop: two callers' ids and progress tokens never meet on a shared channel. */
  protected requestBytes(): Buffer {
    const { frame } = this.call;
    const id = frame.members.get('id');
    if (!this.isRemapped || id === undefined) return frame.bytes;
    const edits: Edit[] = [{ start: id.start, end: id.end, text: this.wireId }];
    const token = progressTokenSpan(frame);
    if (token !== undefined) {
      this.#token = textAt(frame.bytes, token);
      edits.push({ start: token.start, end: token.end, text: this.wireId });
    }
    return splice(frame.bytes, edits);
  }

  dueAtMs(): number {
    return Math.min(this.#startedAtMs + this.call.maxMs, this.#lastSignAtMs + this.call.idleMs);
  }

  /** A sign of life: the idle deadline starts again, the ceiling stays. */
  touch(): void {
    this.#lastSignAtMs = this.table.deadlines.now();
  }

  expire(): void {
    const isCeiling = this.#startedAtMs + this.call.maxMs <= this.table.deadlines.now();
    const limitMs = isCeiling ? this.call.maxMs : this.call.idleMs;
    const what = isCeiling ? `did not finish within ${limitMs} ms` : `gave no sign of life for ${limitMs} ms`;
    if (!this.end()) return;
    this.abandon('timeout');
    this.sink.failure(
      this.table.fail('UPSTREAM_TIMEOUT', `${what} (${this.call.method})`, { data: { timeoutMs: limitMs } }),
    );
  }

  cancel(reason: string): void {
    if (this.end()) this.abandon(reason);
  }

  abstract resume(): void;

  /** Tells the peer that nobody waits any more, and lets go of what the call holds. */
  protected abstract abandon(reason: string): void;

  message(frame: Frame): void {
    if (this.#isEnded) return;
    this.touch();
    this.sink.message(frame);
  }

  /** Progress of this call, under the token that its caller chose. */
  progress(frame: Frame): void {
    if (this.#isEnded) return;
    this.touch();
    if (!this.isRemapped) return this.sink.message(frame);
    if (this.#token === undefined) return;
    const token = childMembers(frame.bytes, frame.members.get('params'))?.get('progressToken');
    if (token === undefined) return;
    const bytes = splice(frame.bytes, [{ start: token.start, end: token.end, text: this.#token }]);
    this.sink.message(scanFrame(bytes));
  }

  respond(frame: Frame, status: number): void {
    const refusal = frame.kind === 'error' ? this.#hopError(frame) : undefined;
    if (refusal !== undefined) {
      this.failWith(refusal);
      if (refusal.code === 'UPSTREAM_UNSUPPORTED') this.table.outdated(refusal);
      return;
    }
    if (!this.end()) return;
    this.sink.response(withId(frame, this.call.frame.idText ?? 'null'), status);
  }

  failWith(error: GatewayError): void {
    if (this.end()) this.sink.failure(error);
  }

  /** True once, for the caller that may now report the end. */
  protected end(): boolean {
    if (this.#isEnded) return false;
    this.#isEnded = true;
    this.table.remove(this);
    return true;
  }

  /** These two codes describe this hop alone; a host that saw them would correct its own request in vain. */
  #hopError(frame: Frame): GatewayError | undefined {
    if (this.call.isOwn === true || !this.table.isModern) return undefined;
    const code = errorCodeOf(frame);
    if (code === HEADER_MISMATCH) {
      return this.table.fail('UPSTREAM_REFUSED', 'found the mirrored headers and the body at odds', {
        data: { upstreamCode: code },
      });
    }
    if (code !== UNSUPPORTED_VERSION) return undefined;
    return this.table.fail('UPSTREAM_UNSUPPORTED', 'no longer speaks the revision that was agreed', {
      data: { upstreamCode: code },
    });
  }
}

const TOKEN_KEY = '"progressToken"';

function progressTokenSpan(frame: Frame): { readonly start: number; readonly end: number } | undefined {
  if (!frame.bytes.includes(TOKEN_KEY)) return undefined;
  const params = childMembers(frame.bytes, frame.members.get('params'));
  return childMembers(frame.bytes, params?.get('_meta'))?.get('progressToken');
}
