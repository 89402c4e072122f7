import type { TokenCounter } from '../accounting/index.ts';
import type { CatalogEntry, Snapshot } from '../catalog/index.ts';
import { type ExposureConfig, type GatewayConfig, NO_BUDGET } from '../config/index.ts';
import type { Clock, Principal } from '../domain/index.ts';
import type { Policy } from '../policy/index.ts';
import type { Logger } from '../telemetry/index.ts';
import { explained, type Explanation } from './explain.ts';
import { createPricer } from './prices.ts';
import {
  countedView,
  directView,
  type ToolView,
  uncountedView,
  type ViewDeps,
  type ViewInput,
} from './tool-view.ts';

/** The tools that hosts are listed, by profile. */
export interface Offerings {
  /**
   * What a host of this principal is listed now: of the newest snapshot of which everything is counted, so that no
   * request waits for a count.
   */
  view(principal: Principal): ToolView;
  exposureOf(principal: Principal): ExposureConfig;
  /** True when the list follows its snapshot later than it appears: once counting began, for every known profile. */
  isLater(principal: Principal): boolean;
  /**
   * Resolves when the list is of the current snapshot, but no later than `waitMs` after that appeared. Only first
   * answers wait: later ones get the list before until the next one is ready. Never rejects.
   */
  settled(principal: Principal, waitMs: number): Promise<void>;
  /** The view of the current snapshot with what a search in its place takes. @throws TokenCountError */
  explain(principal: Principal): Promise<Explanation>;
  /** Told when lists that follow later changed, with a function that says for whom. */
  onChange(listener: (isChanged: (principal: Principal) => boolean) => void): void;
  /** Counts from now on whatever is listed, before anybody asks. */
  start(): void;
  /** Counts nothing more. */
  close(): void;
}

export interface OfferingsDeps {
  readonly catalog: { current(): Snapshot; onChange(listener: (next: Snapshot) => void): void };
  readonly policy: Pick<Policy, 'visible'>;
  readonly config: Pick<GatewayConfig, 'exposure' | 'profiles'>;
  readonly counter: Pick<TokenCounter, 'costsOf'>;
  readonly serverName: (entry: CatalogEntry) => string;
  /** Told of each snapshot that is counted, to get ready for searches while nobody waits. */
  readonly prepare: (snapshot: Snapshot) => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
}

const NOT_YET = 'the tokens of the definitions are not counted yet';
const UNCOUNTABLE = 'tokens could not be counted';

export function createOfferings(deps: OfferingsDeps): Offerings {
  return new Counting(deps);
}

/** What was counted of one snapshot, by profile. */
type Counted = ReadonlyMap<string, ToolView>;

class Counting implements Offerings {
  readonly #deps: OfferingsDeps;
  readonly #exposures: ReadonlyMap<string, ExposureConfig>;
  readonly #viewDeps: ViewDeps;
  readonly #uncounted = new WeakMap<Snapshot, Map<string, ToolView>>();
  readonly #listeners: ((isChanged: (principal: Principal) => boolean) => void)[] = [];
  /** What hosts were listed before anything was counted, by profile. */
  readonly #listedBefore = new Map<string, ToolView>();
  /** Profiles of which some host has a list. */
  readonly #wasListed = new Set<string>();
  #counted: Counted | undefined;
  #snapshot: Snapshot | undefined;
  #running: Promise<void> | undefined;
  #lagsSinceMs: number | undefined;
  #isStarted = false;
  #isSteady = false;
  #isClosed = false;

  constructor(deps: OfferingsDeps) {
    const { catalog, config, counter, logger, serverName } = deps;
    this.#deps = deps;
    this.#exposures = new Map(config.profiles.map(({ name, exposure }) => [name, exposure]));
    const price = createPricer({
      counter,
      onFault: (server, err) => {
        if (!this.#isClosed) logger.warnLimited(`price:${server}`, { server, err }, UNCOUNTABLE);
      },
    });
    this.#viewDeps = { counter, price, serverName };
    catalog.onChange(() => {
      if (this.#isStarted) void this.#catchUp();
    });
  }

  view(principal: Principal): ToolView {
    this.#wasListed.add(principal.profile);
    const counted = this.#counted?.get(principal.profile);
    if (counted !== undefined) return counted;
    const view = this.#viewBefore(principal);
    this.#listedBefore.set(principal.profile, view);
    return view;
  }

  isLater({ profile }: Principal): boolean {
    return this.#isStarted && this.#exposures.has(profile);
  }

  async settled(principal: Principal, waitMs: number): Promise<void> {
    if (!this.#exposures.has(principal.profile)) return;
    this.#isStarted = true;
    const { catalog, clock } = this.#deps;
    if (this.#snapshot !== catalog.current()) {
      const caughtUp = this.#catchUp();
      if (this.#isSteady) return;
      const leftMs = waitMs - (clock.now() - (this.#lagsSinceMs ?? clock.now()));
      if (leftMs > 0) await withinMs(caughtUp, leftMs, clock);
    }
    this.#isSteady ||= this.#snapshot === catalog.current();
  }

  async explain(principal: Principal): Promise<Explanation> {
    const input = this.#inputOf(principal, this.#deps.catalog.current());
    const exposure = { ...input.exposure, mode: 'search' as const };
    const [view, search] = await Promise.all([
      countedView(this.#viewDeps, input),
      countedView(this.#viewDeps, { ...input, exposure }),
    ]);
    return explained(view, search);
  }

  onChange(listener: (isChanged: (principal: Principal) => boolean) => void): void {
    this.#listeners.push(listener);
  }

  start(): void {
    this.#isStarted = true;
    void this.#catchUp();
  }

  close(): void {
    this.#isClosed = true;
  }

  exposureOf({ profile }: Pick<Principal, 'profile'>): ExposureConfig {
    return this.#exposures.get(profile) ?? this.#deps.config.exposure;
  }

  #inputOf(principal: Principal, snapshot: Snapshot): ViewInput {
    return {
      snapshot,
      exposure: this.exposureOf(principal),
      visible: this.#deps.policy.visible(principal, snapshot, 'tool'),
    };
  }

  /** What the current snapshot gives as long as nothing is counted. */
  #viewBefore(principal: Principal): ToolView {
    const { mode, budgetTokens } = this.exposureOf(principal);
    // What no count can shorten need not wait for one.
    const isDirect = mode === 'direct' || (mode === 'auto' && budgetTokens >= NO_BUDGET);
    return this.#bySnapshot(principal, (input) =>
      isDirect ? directView(input) : uncountedView(input, NOT_YET),
    );
  }

  #bySnapshot(principal: Principal, make: (input: ViewInput) => ToolView): ToolView {
    const snapshot = this.#deps.catalog.current();
    const views = this.#uncounted.get(snapshot) ?? new Map<string, ToolView>();
    this.#uncounted.set(snapshot, views);
    const view = views.get(principal.profile) ?? make(this.#inputOf(principal, snapshot));
    views.set(principal.profile, view);
    return view;
  }

  /** Counts until what is offered is of the current snapshot; the snapshots between are passed over. */
  #catchUp(): Promise<void> {
    if (this.#snapshot === this.#deps.catalog.current()) return Promise.resolve();
    this.#lagsSinceMs ??= this.#deps.clock.now();
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      // A change that came after the last look would wait for the next one.
      if (!this.#isClosed) void this.#catchUp();
    });
    return this.#running;
  }

  async #run(): Promise<void> {
    const { catalog } = this.#deps;
    for (let next = catalog.current(); next !== this.#snapshot && !this.#isClosed; next = catalog.current())
      this.#publish(next, await this.#countAll(next));
    this.#lagsSinceMs = undefined;
  }

  #isSearched(): boolean {
    return [...(this.#counted?.values() ?? [])].some(({ choice }) => choice.shownAs === 'search');
  }

  async #countAll(snapshot: Snapshot): Promise<Counted> {
    const views = new Map<string, ToolView>();
    for (const [profile, { mode }] of this.#exposures) {
      const input = this.#inputOf({ id: '', profile }, snapshot);
      const view = await countedView(this.#viewDeps, input).catch((err: unknown) => {
        if (!this.#isClosed) this.#deps.logger.warnLimited('price', { err }, UNCOUNTABLE);
        return mode === 'direct' ? directView(input) : uncountedView(input, UNCOUNTABLE);
      });
      views.set(profile, view);
      for (const name of view.shadowed)
        this.#deps.logger.warnLimited(
          `shadowed:${name}`,
          { profile, tool: name },
          "a server's tool has the name of a meta-tool; it is reached through the one that calls tools",
        );
    }
    return views;
  }

  /** What the first counted views are compared with, so that a list which stays the same is not called changed. */
  #firstBefore(): Counted {
    const profiles = [...this.#exposures.keys()];
    return new Map(
      profiles.map((profile) => [
        profile,
        this.#listedBefore.get(profile) ?? this.#viewBefore({ id: '', profile }),
      ]),
    );
  }

  #publish(snapshot: Snapshot, counted: Counted): void {
    const before = this.#counted ?? this.#firstBefore();
    this.#snapshot = snapshot;
    this.#counted = counted;
    if (this.#isSearched()) void this.#deps.prepare(snapshot);
    const isChanged = ({ profile }: Principal): boolean => {
      const view = counted.get(profile);
      const old = before.get(profile);
      // Servers that answer for the first time change no list that anybody has.
      const isFirst = (old?.listed.length ?? 0) === 0 && !this.#wasListed.has(profile);
      return view !== undefined && !isFirst && !isSameList(view, old);
    };
    for (const listener of this.#listeners) listener(isChanged);
  }
}

const withinMs = (work: Promise<void>, waitMs: number, clock: Clock): Promise<void> =>
  new Promise((resolve) => {
    const cancel = clock.after(waitMs, resolve);
    void work.then(() => {
      cancel();
      resolve();
    });
  });

function isSameList({ listed }: ToolView, before: ToolView | undefined): boolean {
  if (before?.listed.length !== listed.length) return false;
  return listed.every(({ modern, legacy }, index) => {
    const other = before.listed[index];
    return other?.modern.json === modern.json && other.legacy.json === legacy.json;
  });
}
