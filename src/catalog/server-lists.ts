import {
  asGatewayError,
  type Clock,
  type DefinitionKind,
  type GatewayError,
  type ServerId,
} from '../domain/index.ts';
import type { Logger } from '../telemetry/index.ts';
import type { Upstream, UpstreamIdentity } from '../upstream/index.ts';
import type { ServerInput } from './build-snapshot.ts';
import { createKnownLists } from './known-lists.ts';
import { prefixOf } from './qualify.ts';
import { createWalks, type Walks } from './walks.ts';

export interface CatalogServer {
  readonly id: ServerId;
  readonly namespace: string;
  readonly upstream: Upstream;
}

export interface ServerListsDeps {
  readonly nameMaxLength: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Something of this server may be different now. */
  readonly publish: () => void;
}

/** What is known of one server, and how it is learnt. */
export interface ServerLists {
  readonly id: ServerId;
  readonly namespace: string;
  readonly prefix: string;
  readonly walks: Walks;
  /** Never asked, or not a single answer yet. */
  readonly isListed: boolean;
  /** Something is missing from its lists, as far as that can be known. */
  readonly isPartial: boolean;
  /** It says that it has resources, listed or not. */
  readonly hasResources: boolean;
  /** Why its definitions are missing, partial or only the last known. */
  readonly trouble: GatewayError | undefined;
  /** When the lists were last read, whether or not that brought anything; undefined before the first time. */
  readonly readAtMs: number | undefined;
  /** A caller asks for something of this server: one attempt to open it is made, whatever was tried before. */
  demand(): Promise<void>;
  input(): ServerInput;
  markTrouble(error: GatewayError): void;
}

const PARTIAL = 'the lists of this server are incomplete';

export function createServerLists(server: CatalogServer, deps: ServerListsDeps): ServerLists {
  return new Lists(server, deps);
}

class Lists implements ServerLists {
  readonly id: ServerId;
  readonly namespace: string;
  readonly prefix: string;
  readonly walks: Walks;
  readonly #upstream: Upstream;
  readonly #deps: ServerListsDeps;
  readonly #known = createKnownLists();
  #identity: UpstreamIdentity | undefined;
  #trouble: GatewayError | undefined;
  #readAtMs: number | undefined;

  constructor({ id, namespace, upstream }: CatalogServer, deps: ServerListsDeps) {
    this.id = id;
    this.namespace = namespace;
    this.prefix = prefixOf(namespace, deps.nameMaxLength);
    this.walks = createWalks((kinds) => this.#walk(kinds), deps.clock);
    this.#upstream = upstream;
    this.#deps = deps;
  }

  get isListed(): boolean {
    return this.#known.current() !== undefined;
  }

  get isPartial(): boolean {
    return this.#known.current()?.complete === false;
  }

  get hasResources(): boolean {
    return (this.#identity?.capabilities['resources'] ?? undefined) !== undefined;
  }

  get trouble(): GatewayError | undefined {
    return this.#trouble;
  }

  get readAtMs(): number | undefined {
    return this.#readAtMs;
  }

  async demand(): Promise<void> {
    if (this.#upstream.current() !== undefined) return;
    // A failure is reported by the walk that follows.
    await this.#upstream.connect({ isDemanded: true }).catch(() => undefined);
  }

  input(): ServerInput {
    // A server that is down keeps what it said of itself: what hosts are sent must not change for a restart.
    this.#identity = this.#upstream.status().identity ?? this.#identity;
    const definitions = this.#known.current();
    return {
      definitions,
      view: {
        id: this.id,
        namespace: this.namespace,
        namePrefix: this.prefix,
        instructions: this.#identity?.instructions,
        capabilities: this.#identity?.capabilities ?? {},
        isListed: this.isListed,
        isComplete: definitions?.complete ?? false,
        trouble: this.#trouble?.message ?? (this.isPartial ? PARTIAL : undefined),
      },
    };
  }

  markTrouble(error: GatewayError): void {
    this.#trouble = error;
    this.#deps.publish();
  }

  async #walk(kinds: readonly DefinitionKind[]): Promise<boolean> {
    const { clock, logger, publish } = this.#deps;
    const before = this.#known.current();
    try {
      this.#known.take(await this.#upstream.list(kinds), kinds);
      this.#trouble = undefined;
    } catch (thrown) {
      this.#trouble = asGatewayError(thrown, 'the lists could not be read');
      const fields = { server: this.id, err: this.#trouble };
      logger.warnLimited(`list:${this.id}`, fields, 'server lists nothing for now');
    }
    this.#readAtMs = clock.now();
    publish();
    return this.#known.current() !== before;
  }
}
