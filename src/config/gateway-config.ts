import type { Era, ServerId } from '../domain/index.ts';
import type { ConfigNotice } from './config-error.ts';

/** The HTTP endpoint; profiles other than `default` answer below it (`/mcp/<profile>`). */
export const ENDPOINT_PATH = '/mcp';

/** Tokens beyond any list that a model can be sent: without a budget of its own, a list is as long as its tools. */
export const NO_BUDGET = 10_000_000;

/** Between a namespace and a native name; hosts and model APIs accept it everywhere. */
export const NAME_SEPARATOR = '__';

/** The whole configuration: every default filled in, every reference resolved, frozen to the leaves. */
export interface GatewayConfig {
  /** Absolute path of the file it was read from. */
  readonly path: string;
  /** Relative paths and commands start here. */
  readonly baseDir: string;
  readonly listen: ListenConfig;
  readonly names: NamesConfig;
  /** Absolute. */
  readonly stateDir: string;
  readonly log: LogConfig;
  readonly limits: LimitsConfig;
  /** In file order, which is the order of every list; disabled ones included. */
  readonly servers: readonly ServerConfig[];
  readonly exposure: ExposureConfig;
  readonly accounting: AccountingConfig;
  readonly profiles: readonly ProfileConfig[];
  /** Accepted, but without effect or worth a second look. */
  readonly notices: readonly ConfigNotice[];
  /** Values that no log or error may show. Never print this object. */
  readonly secrets: readonly string[];
}

export interface ListenConfig {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  readonly path: typeof ENDPOINT_PATH;
  /** Lower-case `host` or `host:port`, accepted besides loop-back names and the listening address. */
  readonly allowedHosts: readonly string[];
  /** Lower-case `scheme://host[:port]`, accepted besides loop-back origins. */
  readonly allowedOrigins: readonly string[];
}

export interface NamesConfig {
  readonly maxLength: number;
  readonly separator: typeof NAME_SEPARATOR;
}

export type LogLevelName = 'debug' | 'info' | 'warn' | 'error' | 'silent';

export interface LogConfig {
  readonly level: LogLevelName;
  readonly format: 'auto' | 'json' | 'pretty';
}

export interface LimitsConfig {
  readonly requestBodyBytes: number;
  readonly messageBytes: number;
  readonly instructionsBytes: number;
  readonly maxSessions: number;
  readonly sessionIdleMs: number;
}

export interface ServerConfig {
  readonly id: ServerId;
  /** Empty for the one server whose names stay bare. */
  readonly namespace: string;
  readonly enabled: boolean;
  readonly transport: TransportConfig;
  readonly era: 'auto' | Era;
  readonly isolation: 'shared' | 'principal' | 'session';
  readonly tools: FilterConfig;
  readonly prompts: FilterConfig;
  readonly resources: FilterConfig;
  /** Globs of native tool names whose calls may be sent again after an uncertain delivery. */
  readonly safeToRepeat: readonly string[];
  readonly timeouts: TimeoutsConfig;
  readonly maxConcurrency: number;
  readonly restart: RestartConfig;
  /** 0 keeps a started server running. */
  readonly idleStopMs: number;
}

export type TransportConfig = StdioTransportConfig | HttpTransportConfig;

export interface StdioTransportConfig {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** The entry's own variables; `childEnvironment` makes the child's whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute. */
  readonly cwd: string;
  /** Names of the gateway's own variables that the child also gets. */
  readonly inheritEnv: readonly string[];
}

export interface HttpTransportConfig {
  /** `http` is Streamable HTTP, `sse` the older HTTP+SSE, `auto` the first with the second as fallback. */
  readonly kind: 'http' | 'sse' | 'auto';
  /** Exactly as written: a trailing slash is kept. */
  readonly url: string;
  /** Sent on every request to the origin of `url`, and to no other. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Globs; `compileGlobs` makes the decision function. An absent `allow` allows everything. */
export interface FilterConfig {
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
}

export interface TimeoutsConfig {
  readonly connectMs: number;
  readonly listMs: number;
  readonly callIdleMs: number;
  readonly callMaxMs: number;
}

export interface RestartConfig {
  readonly initialDelayMs: number;
  readonly maxDelayMs: number;
  readonly stableMs: number;
}

export interface ExposureConfig {
  readonly mode: 'auto' | 'direct' | 'search';
  readonly budgetTokens: number;
  /** Qualified names that stay listed whatever the mode. */
  readonly pin: readonly string[];
  /** For one answer of the search meta-tool. */
  readonly searchAnswerTokens: number;
  readonly metaTools: MetaToolNames;
}

/** What the gateway's own tools are called; the two differ. */
export interface MetaToolNames {
  readonly search: string;
  readonly call: string;
}

/** Names under which tokenizers are published; those that `accounting` can count with. */
export const TOKENIZERS = [
  'o200k_base',
  'o200k_harmony',
  'cl100k_base',
  'p50k_base',
  'p50k_edit',
  'r50k_base',
  'gpt2',
] as const;

export interface AccountingConfig {
  readonly tokenizer: (typeof TOKENIZERS)[number];
  readonly ledger: {
    readonly enabled: boolean;
    readonly maxDays: number;
    readonly maxBytes: number;
  };
  readonly countResults: boolean;
}

export interface ProfileConfig {
  readonly name: string;
  /** In configuration order; every server when the profile names none. */
  readonly servers: readonly ServerId[];
  /** Globs of qualified names. */
  readonly tools: FilterConfig;
  readonly exposure: ExposureConfig;
}
