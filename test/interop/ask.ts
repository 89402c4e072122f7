/** One request as the protocol names it. Each peer makes it in the way of its own client. */
export interface Ask {
  readonly method:
    | 'tools/list'
    | 'resources/list'
    | 'resources/templates/list'
    | 'prompts/list'
    | 'tools/call'
    | 'resources/read'
    | 'prompts/get'
    | 'completion/complete';
  readonly params?: Fields;
}

export type Fields = Readonly<Record<string, unknown>>;

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export type Answer = { readonly result: Fields } | { readonly error: RpcError };

/** What a peer connects to. */
export type Target =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly cwd: string;
      readonly env?: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'http'; readonly url: string }
  | { readonly kind: 'sse'; readonly url: string };

export interface Session {
  readonly era: 'modern' | 'legacy';
  readonly answers: readonly Answer[];
}

export interface Peer {
  readonly name: string;
  readonly reaches: readonly Target['kind'][];
  /** Connects, asks one after another, and leaves. */
  run(target: Target, asks: readonly Ask[]): Promise<Session>;
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Turns an answer that a client threw into data; anything else that is thrown is a fault of the run. */
export async function answerOf(ask: () => Promise<object>): Promise<Answer> {
  try {
    return { result: plain(await ask()) };
  } catch (error) {
    const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown };
    if (typeof code !== 'number' || typeof message !== 'string') throw error;
    return { error: data === undefined ? { code, message } : { code, message, data } };
  }
}

/** The value as JSON has it, so that absent and undefined members are the same. */
export function plain(value: object): Fields {
  return JSON.parse(JSON.stringify(value)) as Fields;
}
