import type { GatewayError } from '../domain/index.ts';
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
  const calls = new Set<PendingCall>();
  const byWireId = new Map<string, PendingCall>();
  let lastId = 0;

  const respond = (frame: Frame, status: number, owner: PendingCall | undefined): void => {
    const call = owner !== undefined && answers(frame, owner) ? owner : byWireId.get(unquoted(frame.idText));
    if (call === undefined)
      return deps.stray(`a response with the id ${frame.idText ?? 'null'}, which nothing waits for`);
    call.respond(frame, status);
  };

  const progress = (frame: Frame, owner: PendingCall | undefined): void => {
    if (owner !== undefined) return owner.progress(frame);
    const token = childMembers(frame.bytes, frame.members.get('params'))?.get('progressToken');
    const call = token === undefined ? undefined : byWireId.get(unquoted(textAt(frame.bytes, token)));
    // Progress may cross the end of its call on the wire; that is no fault.
    call?.progress(frame);
  };

  const notification = (frame: Frame, owner: PendingCall | undefined): void => {
    if (frame.method === 'notifications/progress') return progress(frame, owner);
    const subscription = table.isModern && owner === undefined ? subscriptionOf(frame, byWireId) : undefined;
    if (subscription !== undefined) return hear(frame, subscription, deps.fail);
    const call = owner ?? (isAboutACall(frame.method) ? soleCall(calls) : undefined);
    if (call === undefined) deps.events.notification(frame);
    else call.message(frame);
  };

  const request = (frame: Frame, owner: PendingCall | undefined): void => {
    // https://modelcontextprotocol.io/specification/2026-07-28/basic#requests
    if (table.isModern)
      return deps.stray(`a request (${frame.method ?? ''}), which its revision does not allow`);
    if (frame.method === 'ping') return deps.reply(Buffer.from(resultFrame(frame.idText ?? 'null', '{}')));
    const call = owner === undefined || owner.call.isOwn === true ? soleCall(calls) : owner;
    if (call === undefined) deps.events.request(frame);
    else call.message(frame);
  };

  const table: InFlight = {
    deadlines: deps.deadlines,
    fail: deps.fail,
    isModern: false,
    nextId: () => String(++lastId),
    add: (call) => {
      calls.add(call);
      if (call.isRemapped) byWireId.set(call.wireId, call);
      deps.deadlines.add(call);
    },
    remove: (call) => {
      calls.delete(call);
      if (call.isRemapped) byWireId.delete(call.wireId);
      deps.deadlines.delete(call);
      deps.ended(call);
    },
    receive: (frame, status = 200, owner) => {
      if (frame.kind === 'notification') notification(frame, owner);
      else if (frame.kind === 'request') request(frame, owner);
      else respond(frame, status, owner);
    },
    failAll: (error) => {
      // A sink may start another call at once; only those of this moment fail.
      for (const call of [...calls]) call.failWith(error);
    },
    get size() {
      return calls.size;
    },
  };
  return table;
}

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
function soleCall(calls: ReadonlySet<PendingCall>): PendingCall | undefined {
  let sole: PendingCall | undefined;
  for (const call of calls) {
    if (call.call.isOwn === true) continue;
    if (sole !== undefined) return undefined;
    sole = call;
  }
  return sole;
}
