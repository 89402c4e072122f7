import type { Catalog, CatalogEntry, Snapshot } from '../catalog/index.ts';
import {
  type DefinitionKind,
  GatewayError,
  type NativeUri,
  type Principal,
  type ServerId,
} from '../domain/index.ts';
import type { Policy } from '../policy/index.ts';
import type { UpstreamConnection } from '../upstream/index.ts';
import { childMembers, errorFrame, type Frame, notificationFrame, stringAt } from '../wire/index.ts';
import type { Host } from './host.ts';
import { answerWithId } from './inbound.ts';
import { isLogWanted } from './log-levels.ts';
import type { RoutedUpstream } from './router.ts';

/** The three list changes that a host can be told of; templates change with the resources. */
export type ListKind = 'tools' | 'prompts' | 'resources';

const KINDS_OF: Readonly<Record<ListKind, readonly DefinitionKind[]>> = {
  tools: ['tool'],
  prompts: ['prompt'],
  resources: ['resource', 'template'],
};

/** A legacy session or a modern listen stream. */
export interface Subscriber {
  readonly principal: Principal;
  wants(list: ListKind): boolean;
  /** `method` and the JSON text of its params, without any `_meta`. */
  notify(method: string, params: Readonly<Record<string, unknown>> | undefined): void;
  /** The host behind a legacy session: log messages and questions outside a call can reach it. */
  readonly session?: SessionVoice;
}

/** What only a handshake session has. */
export interface SessionVoice {
  readonly host: () => Host;
  readonly log: (frame: Buffer) => void;
  readonly ask: (question: Frame, onAnswer: (answer: Frame) => void) => boolean;
}

export interface Hub {
  /** Adds a subscriber; the returned function removes it with all that it watches. */
  add(subscriber: Subscriber): () => void;
  /**
   * Watches a resource for a subscriber, by the URI that its host knows.
   * @throws GatewayError NAME_UNKNOWN for a URI that leads nowhere; UPSTREAM_* when its server cannot watch it
   */
  watch(subscriber: Subscriber, uri: string): Promise<void>;
  unwatch(subscriber: Subscriber, uri: string): void;
  resourceUpdated(server: ServerId, uri: NativeUri): void;
  /** A notification of a connection that belongs to no call: log messages are for hosts, the rest is known by other ways. */
  notification(server: ServerId, frame: Frame, owner: string | undefined): void;
  /** A question of a handshake server that belongs to no call. */
  question(server: ServerId, question: Question): void;
}

/** A question, where the answer goes, and whose connection it came on; no owner means that all share it. */
export interface Question {
  readonly connection: UpstreamConnection;
  readonly frame: Frame;
  readonly owner: string | undefined;
}

export interface HubDeps {
  readonly catalog: Catalog;
  readonly policy: Policy;
  readonly upstreams: ReadonlyMap<ServerId, RoutedUpstream>;
}

interface Watch {
  readonly server: ServerId;
  readonly native: NativeUri;
  readonly release: () => void;
}

/** Carries what upstreams say unasked to the hosts that want to hear it, and to no other. */
export function createHub(deps: HubDeps): Hub {
  const subscribers = new Map<Subscriber, Map<string, Watch>>();

  deps.catalog.onChange((next, previous) => {
    const changed = new Map<string, ReadonlySet<ListKind>>();
    for (const subscriber of subscribers.keys()) {
      const { profile } = subscriber.principal;
      const lists = changed.get(profile) ?? changedLists(deps.policy, subscriber.principal, next, previous);
      changed.set(profile, lists);
      for (const list of lists) {
        if (subscriber.wants(list)) subscriber.notify(`notifications/${list}/list_changed`, undefined);
      }
    }
  });

  const watch = async (subscriber: Subscriber, uri: string): Promise<void> => {
    const { principal } = subscriber;
    const watches = subscribers.get(subscriber);
    const route = deps.catalog.current().resolveUri(uri, (server) => deps.policy.mayUse(principal, server));
    const upstream = route === undefined ? undefined : deps.upstreams.get(route.server)?.upstream;
    const isVisible =
      route !== undefined &&
      deps.policy.mayRead(principal, route.server, route.native) &&
      (route.entry === undefined || deps.policy.decide(principal, route.entry).allowed);
    if (route === undefined || upstream === undefined || !isVisible) {
      throw new GatewayError('NAME_UNKNOWN', `Unknown resource: ${uri}`, { data: { uri } });
    }
    if (watches === undefined || watches.has(uri)) return;
    const release = await upstream.watch(route.native);
    // The host may have left, or asked twice, while the server was being asked.
    if (subscribers.get(subscriber) !== watches || watches.has(uri)) release();
    else watches.set(uri, { server: route.server, native: route.native, release });
  };

  /** The sessions that a connection can mean: its owner, or all that may use the server when it is shared. */
  const sessionsOf = (server: ServerId, owner: string | undefined): SessionVoice[] =>
    [...subscribers.keys()]
      .filter((subscriber) => deps.policy.mayUse(subscriber.principal, server))
      .flatMap((subscriber) => (subscriber.session === undefined ? [] : [subscriber.session]))
      .filter((session) => owner === undefined || session.host().sessionKey === owner);

  return {
    add: (subscriber) => {
      subscribers.set(subscriber, new Map());
      return () => {
        for (const held of subscribers.get(subscriber)?.values() ?? []) held.release();
        subscribers.delete(subscriber);
      };
    },
    watch,
    unwatch: (subscriber, uri) => {
      const watches = subscribers.get(subscriber);
      watches?.get(uri)?.release();
      watches?.delete(uri);
    },
    resourceUpdated: (server, uri) => {
      for (const [subscriber, watches] of subscribers) {
        for (const [exposed, held] of watches) {
          if (held.server === server && held.native === uri) {
            subscriber.notify('notifications/resources/updated', { uri: exposed });
          }
        }
      }
    },
    notification: (server, frame, owner) => {
      if (frame.method !== 'notifications/message') return;
      const level = stringAt(
        frame.bytes,
        childMembers(frame.bytes, frame.members.get('params'))?.get('level'),
      );
      for (const session of sessionsOf(server, owner)) {
        if (isLogWanted(session.host(), level)) session.log(frame.bytes);
      }
    },
    question: (server, { connection, frame, owner }) => {
      const idText = frame.idText ?? 'null';
      const [only, ...others] = sessionsOf(server, owner);
      // With more than one host it cannot be told whose question this is, and a guess could ask the wrong user.
      const isAsked =
        only !== undefined &&
        others.length === 0 &&
        only.ask(frame, (answer) => connection.reply(answerWithId(answer, idText)));
      if (!isAsked) connection.reply(Buffer.from(errorFrame(idText, -32601, 'No host can be asked this')));
    },
  };
}

/** The lists whose visible entries differ between two snapshots, byte for byte and in order. */
function changedLists(
  policy: Policy,
  principal: Principal,
  next: Snapshot,
  previous: Snapshot,
): Set<ListKind> {
  const isSame = (kind: DefinitionKind): boolean =>
    isSameList(policy.visible(principal, next, kind), policy.visible(principal, previous, kind));
  const lists = Object.keys(KINDS_OF) as ListKind[];
  return new Set(lists.filter((list) => !KINDS_OF[list].every(isSame)));
}

const isSameList = (a: readonly CatalogEntry[], b: readonly CatalogEntry[]): boolean =>
  a.length === b.length &&
  a.every((entry, index) => entry.json === b[index]?.json && entry.server === b[index].server);

/** A notification frame for a host of the handshake era. */
export const legacyNotification = (
  method: string,
  params: Readonly<Record<string, unknown>> | undefined,
): Buffer =>
  Buffer.from(notificationFrame(method, params === undefined ? undefined : JSON.stringify(params)));
