import { type Bag, createBag, type GatewayError } from '../domain/index.ts';
import { childMembers, type Frame, resultFrame, textAt } from '../wire/index.ts';
import type { ChannelEvents } from './channel.ts';
import type { Deadlines } from './deadlines.ts';
import type { Fail } from './failures.ts';
import type { CallTable, PendingCall } from './pending-call.ts';

export interface InFlightDeps {
  readonly deadlines: Deadlines;
  readonly fail: Fail;
  readonly events: ChannelEvents;
  /** Sends an answer of the gateway's own to the peer. */
  readonly reply: (frame: Buffer) => void;
  /** A call has ended, whichever way. */
  readonly ended: (call: PendingCall) => void;
  /** Something arrived that belongs to nothing known; the channel goes on. */
  readonly stray: (what: string) => void;
  readonly outdated: (error: GatewayError) => void;
}

/** The calls that one channel has in flight, and whom an arriving message is for. */
export interface InFlight extends CallTable {
  isModern: boolean;
  /** An id that no other request on this channel has had. */
  nextId(): string;
  /** @param owner the call whose own stream brought the frame, on transports that have such streams. */
  receive(frame: Frame, status?: number, owner?: PendingCall): void;
  failAll(error: GatewayError): void;
  readonly size: number;
}

export function createInFlight(deps: InFlightDeps): InFlight {
  return new Table(deps);
}

class Table implements InFlight {
  readonly deadlines: Deadlines;
  readonly fail: Fail;
  isModern = false;
  readonly #deps: InFlightDeps;
  readonly #calls = createBag<PendingCall>();
  readonly #byWireId = new Map<string, PendingCall>();
  #lastId = 0;

  constructor(deps: InFlightDeps) {
    this.#deps = deps;
    this.deadlines = deps.deadlines;
    this.fail = deps.fail;
  }

  get size(): number {
    return this.#calls.size;
  }

  nextId(): string {
    return String(++this.#lastId);
  }

  add(call: PendingCall): void {
    call.seats = { table: this.#calls.add(call), deadline: this.deadlines.add(call) };
    if (call.isRemapped) this.#byWireId.set(call.wireId, call);
  }

  remove(call: PendingCall): void {
    if (call.isRemapped) this.#byWireId.delete(call.wireId);
    if (call.seats !== undefined) {
      this.#calls.leave(call.seats.table);
      this.deadlines.leave(call.seats.deadline);
    }
    this.#deps.ended(call);
  }

  outdated(error: GatewayError): void {
    this.#deps.outdated(error);
  }

  failAll(error: GatewayError): void {
    // A sink may start another call at once; only those of this moment fail.
    for (const call of this.#calls.items()) call.failWith(error);
  }

  receive(frame: Frame, status = 200, owner?: PendingCall): void {
    if (frame.kind === 'notification') this.#notification(frame, owner);
    else if (frame.kind === 'request') this.#request(frame, owner);
    else this.#response(frame, status, owner);
  }

  #response(frame: Frame, status: number, owner: PendingCall | undefined): void {
    const isOwners = owner !== undefined && answers(frame, owner);
    const call = isOwners ? owner : this.#byWireId.get(unquoted(frame.idText));
    if (call !== undefined) call.respond(frame, status);
    else this.#deps.stray(`a response with the id ${frame.idText ?? 'null'}, which nothing waits for`);
  }

  #request(frame: Frame, owner: PendingCall | undefined): void {
    // https://modelcontextprotocol.io/specification/2026-07-28/basic#requests
    if (this.isModern) {
      return this.#deps.stray(`the request "${frame.method ?? ''}", which its revision does not allow`);
    }
    if (frame.method === 'ping') {
      return this.#deps.reply(Buffer.from(resultFrame(frame.idText ?? 'null', '{}')));
    }
    const call = owner === undefined || owner.call.isOwn === true ? soleCall(this.#calls) : owner;
    if (call === undefined) this.#deps.events.request(frame);
    else call.message(frame);
  }

  #notification(frame: Frame, owner: PendingCall | undefined): void {
    if (frame.method === 'notifications/progress') return this.#progress(frame, owner);
    const subscription =
      this.isModern && owner === undefined ? subscriptionOf(frame, this.#byWireId) : undefined;
    if (subscription !== undefined) return hear(frame, subscription, this.fail);
    // What a listening request brings on its own stream is what it listens for.
    if (this.isModern && owner?.call.isOwn === true) return owner.message(frame);
    const call = this.#concerned(frame, owner);
    if (call === undefined) this.#deps.events.notification(frame);
    else call.message(frame);
  }

  /** The call that a notification is about; undefined when it is about the server as a whole. */
  #concerned(frame: Frame, owner: PendingCall | undefined): PendingCall | undefined {
    if (SERVER_WIDE.has(frame.method ?? '')) return undefined;
    if (owner !== undefined && owner.call.isOwn !== true) return owner;
    return isAboutACall(frame.method) ? soleCall(this.#calls) : undefined;
  }

  #progress(frame: Frame, owner: PendingCall | undefined): void {
    if (owner !== undefined) return owner.progress(frame);
    const token = childMembers(frame.bytes, frame.members.get('params'))?.get('progressToken');
    // Progress may cross the end of its call on the wire; that is no fault.
    if (token !== undefined) this.#byWireId.get(unquoted(textAt(frame.bytes, token)))?.progress(frame);
  }
}

/** Changes that concern every caller, whichever stream brought them. */
const SERVER_WIDE: ReadonlySet<string> = new Set([
  'notifications/tools/list_changed',
  'notifications/prompts/list_changed',
  'notifications/resources/list_changed',
  'notifications/resources/updated',
]);

const SUBSCRIPTION_ID = 'io.modelcontextprotocol/subscriptionId';

/**
 * The listening request that a message on a shared channel belongs to.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions#receiving-notifications
 */
function subscriptionOf(frame: Frame, calls: ReadonlyMap<string, PendingCall>): PendingCall | undefined {
  const params = childMembers(frame.bytes, frame.members.get('params'));
  const id =
    frame.method === 'notifications/cancelled'
      ? params?.get('requestId')
      : childMembers(frame.bytes, params?.get('_meta'))?.get(SUBSCRIPTION_ID);
  return id === undefined ? undefined : calls.get(unquoted(textAt(frame.bytes, id)));
}

function hear(frame: Frame, subscription: PendingCall, fail: Fail): void {
  if (frame.method !== 'notifications/cancelled') subscription.message(frame);
  else subscription.failWith(fail('UPSTREAM_CLOSED', 'ended the subscription'));
}

/** Log messages and withdrawals carry no request id on a shared channel; other notifications are never a call's. */
const isAboutACall = (method: string | undefined): boolean =>
  method === 'notifications/message' || method === 'notifications/cancelled';

/** Some peers turn a numeric id into a string on its way back. */
const unquoted = (text: string | undefined): string =>
  text === undefined ? '' : text.startsWith('"') ? text.slice(1, -1) : text;

/** On a call's own stream an error whose id could not be read is that call's. */
const answers = (frame: Frame, owner: PendingCall): boolean =>
  frame.idText === undefined || unquoted(frame.idText) === unquoted(owner.wireId);

/** The one call of a host in flight, when there is exactly one. */
function soleCall(calls: Bag<PendingCall>): PendingCall | undefined {
  let sole: PendingCall | undefined;
  for (const call of calls.items()) {
    if (call.call.isOwn === true) continue;
    if (sole !== undefined) return undefined;
    sole = call;
  }
  return sole;
}
