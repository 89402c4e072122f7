import type { Principal } from '../domain/index.ts';
import type { Frame } from '../wire/index.ts';
import type { Host } from './host.ts';

/** The three list changes that a host can be told of; templates change with the resources. */
export type ListKind = 'tools' | 'prompts' | 'resources';

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
