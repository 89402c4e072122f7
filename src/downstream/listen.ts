import { GatewayError } from '../domain/index.ts';
import type { Exchange, HostRequest, Hub, ListKind, Subscriber } from '../routing/index.ts';
import { notificationFrame, resultFrame } from '../wire/index.ts';
import { isRecord } from './message.ts';

const SUBSCRIPTION_KEY = 'io.modelcontextprotocol/subscriptionId';

const FILTER_OF: Readonly<Record<ListKind, string>> = {
  tools: 'toolsListChanged',
  prompts: 'promptsListChanged',
  resources: 'resourcesListChanged',
};

/** The open listen streams, so that a shutdown can end each of them gracefully. */
export interface ListenStreams {
  add(end: () => void): void;
  delete(end: () => void): void;
  endAll(): void;
}

export function createListenStreams(): ListenStreams {
  const ends = new Set<() => void>();
  return {
    add: (end) => void ends.add(end),
    delete: (end) => void ends.delete(end),
    endAll: () => {
      for (const end of [...ends]) end();
    },
  };
}

export interface ListenDeps {
  readonly hub: Hub;
  readonly streams: ListenStreams;
  readonly serverInfoText: string;
  /** Subscriptions need to know which server a URI belongs to. */
  readonly settled: () => Promise<void>;
}

/**
 * Serves `subscriptions/listen`: the acknowledgment first, with what is honoured; then only what was asked for,
 * under the id of this request; a result when the gateway ends it.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
 */
export async function openListenStream(
  deps: ListenDeps,
  request: HostRequest,
  exchange: Exchange,
): Promise<void> {
  const filter = request.params['notifications'];
  if (!isRecord(filter)) throw new GatewayError('REQUEST_PARAMS', 'params.notifications must be an object');
  const uris = urisOf(filter['resourceSubscriptions']);
  const wanted = new Set(
    (Object.keys(FILTER_OF) as ListKind[]).filter((list) => filter[FILTER_OF[list]] === true),
  );
  const meta = `"_meta":{${JSON.stringify(SUBSCRIPTION_KEY)}:${request.idText}}`;

  // Nothing may precede the acknowledgment, so what happens before it is told right behind it.
  let early: (() => void)[] | undefined = [];
  const send = (method: string, params: Readonly<Record<string, unknown>> | undefined): void => {
    const text = params === undefined ? `{${meta}}` : `{${meta},${JSON.stringify(params).slice(1)}`;
    exchange.message(Buffer.from(notificationFrame(method, text)));
  };
  const subscriber: Subscriber = {
    principal: request.host.principal,
    wants: (list) => wanted.has(list),
    notify: (method, params) => {
      if (early === undefined) send(method, params);
      else early.push(() => send(method, params));
    },
  };

  const leave = deps.hub.add(subscriber);
  const end = (): void => {
    leave();
    deps.streams.delete(end);
    const result = `{"resultType":"complete","_meta":{${JSON.stringify(SUBSCRIPTION_KEY)}:${request.idText},"io.modelcontextprotocol/serverInfo":${deps.serverInfoText}}}`;
    exchange.respond(Buffer.from(resultFrame(request.idText, result)), 200);
  };
  exchange.onCancel(() => {
    leave();
    deps.streams.delete(end);
  });
  deps.streams.add(end);

  if (uris.length > 0) await deps.settled();
  const honoured = await watchAll(deps.hub, subscriber, uris);
  const acknowledged = {
    notifications: {
      ...Object.fromEntries([...wanted].map((list) => [FILTER_OF[list], true])),
      ...(honoured.length === 0 ? {} : { resourceSubscriptions: honoured }),
    },
  };
  send('notifications/subscriptions/acknowledged', acknowledged);
  const missed = early;
  early = undefined;
  for (const tell of missed) tell();
}

function urisOf(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value) && value.every((uri): uri is string => typeof uri === 'string'))
    return [...new Set(value)];
  throw new GatewayError(
    'REQUEST_PARAMS',
    'params.notifications.resourceSubscriptions must be a list of URIs',
  );
}

/** A URI that cannot be watched is left out of the acknowledgment, which is how the host learns of it. */
async function watchAll(hub: Hub, subscriber: Subscriber, uris: readonly string[]): Promise<string[]> {
  const outcomes = await Promise.allSettled(uris.map((uri) => hub.watch(subscriber, uri)));
  return uris.filter((_uri, index) => outcomes[index]?.status === 'fulfilled');
}
