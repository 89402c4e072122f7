import type { Catalog, CatalogEntry, Snapshot } from '../catalog/index.ts';
import type { DefinitionKind, NativeUri, Principal, ServerId } from '../domain/index.ts';
import type { Policy } from '../policy/index.ts';
import type { UpstreamConnection } from '../upstream/index.ts';
import {
  childMembers,
  errorFrame,
  type Frame,
  JsonScanError,
  notificationFrame,
  stringAt,
  withId,
} from '../wire/index.ts';
import { isLogWanted } from './log-levels.ts';
import type { RoutedUpstream } from './router.ts';
import type { ListKind, SessionVoice, Subscriber } from './subscriber.ts';
import { createWatches } from './watches.ts';

const KINDS_OF: Readonly<Record<ListKind, readonly DefinitionKind[]>> = {
  tools: ['tool'],
  prompts: ['prompt'],
  resources: ['resource', 'template'],
};

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
  readonly laterTools?: LaterTools;
}

/** Lists of tools that follow a snapshot later than it appears, because their tokens are counted first. */
export interface LaterTools {
  isLater(principal: Principal): boolean;
  /** Told when such lists changed, with a function that says for whom. */
  onChange(listener: (isChanged: (principal: Principal) => boolean) => void): void;
}

/** Carries what upstreams say unasked to the hosts that want to hear it, and to no other. */
export function createHub(deps: HubDeps): Hub {
  const subscribers = new Set<Subscriber>();
  const watches = createWatches(deps);

  deps.catalog.onChange((next, previous) => {
    const changed = new Map<string, ReadonlySet<ListKind>>();
    for (const subscriber of subscribers) {
      const { profile } = subscriber.principal;
      const lists = changed.get(profile) ?? changedLists(deps.policy, subscriber.principal, next, previous);
      changed.set(profile, lists);
      const isLater = deps.laterTools?.isLater(subscriber.principal) === true;
      for (const list of lists) if (!isLater || list !== 'tools') tell(subscriber, list);
    }
  });
  deps.laterTools?.onChange((isChanged) => {
    for (const subscriber of subscribers) if (isChanged(subscriber.principal)) tell(subscriber, 'tools');
  });

  /** The sessions that a connection can mean: its owner, or all that may use the server when it is shared. */
  const sessionsOf = (server: ServerId, owner: string | undefined): SessionVoice[] =>
    [...subscribers]
      .filter((subscriber) => deps.policy.mayUse(subscriber.principal, server))
      .flatMap((subscriber) => (subscriber.session === undefined ? [] : [subscriber.session]))
      .filter((session) => owner === undefined || session.host().sessionKey === owner);

  return {
    add: (subscriber) => {
      subscribers.add(subscriber);
      watches.open(subscriber);
      return () => {
        subscribers.delete(subscriber);
        watches.close(subscriber);
      };
    },
    watch: watches.watch,
    unwatch: watches.unwatch,
    resourceUpdated: watches.updated,
    notification: (server, frame, owner) => {
      if (frame.method !== 'notifications/message') return;
      const level = readable(() => levelOf(frame));
      if (level === undefined) return;
      for (const session of sessionsOf(server, owner)) {
        if (isLogWanted(session.host(), level.value)) session.log(frame.bytes);
      }
    },
    question: (server, { connection, frame, owner }) => {
      const idText = frame.idText ?? 'null';
      const [only, ...others] = sessionsOf(server, owner);
      // With more than one host it cannot be told whose question this is, and a guess could ask the wrong user.
      const isAsked =
        only !== undefined &&
        others.length === 0 &&
        readable(() => only.ask(frame, (answer) => connection.reply(withId(answer, idText).bytes)))?.value;
      if (isAsked !== true)
        connection.reply(Buffer.from(errorFrame(idText, -32_601, 'No host can be asked this')));
    },
  };
}

const levelOf = ({ bytes, members }: Frame): string | undefined =>
  stringAt(bytes, childMembers(bytes, members.get('params'))?.get('level'));

/** Undefined for a frame that can be read in two ways: it is passed on to nobody, and its channel goes on. */
function readable<T>(read: () => T): { readonly value: T } | undefined {
  try {
    return { value: read() };
  } catch (thrown) {
    if (thrown instanceof JsonScanError) return undefined;
    throw thrown;
  }
}

function tell(subscriber: Subscriber, list: ListKind): void {
  if (subscriber.wants(list)) subscriber.notify(`notifications/${list}/list_changed`, undefined);
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
  a.length === b.length && a.every((entry, index) => isSameEntry(entry, b[index]));

const isSameEntry = (a: CatalogEntry, b: CatalogEntry | undefined): boolean =>
  a === b || (a.json === b?.json && a.server === b.server);

/** A notification frame for a host of the handshake era. */
export const legacyNotification = (
  method: string,
  params: Readonly<Record<string, unknown>> | undefined,
): Buffer =>
  Buffer.from(notificationFrame(method, params === undefined ? undefined : JSON.stringify(params)));
