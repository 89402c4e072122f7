import { childMembers, type Frame, scanFrame, splice, textAt } from '../wire/index.ts';
import type { Fields } from './message.ts';
import { idKey } from './request-ids.ts';

/** Sends a frame to the host; false when there is no way to it just now. */
export type Send = (frame: Buffer) => boolean;

export type Answer = (answer: Frame) => void;

/** What servers ask of one host, under ids of this hop: two servers may well use the same one. */
export interface Questions {
  /**
   * Puts a question to the host over `send`; false when it cannot be asked.
   * @param requestKey the request in whose course it is asked; undefined outside of any
   */
  ask(question: Frame, onAnswer: Answer, send: Send, requestKey?: string): boolean;
  /** Takes the host's answer; false when nobody asked for it. */
  answer(frame: Frame): boolean;
  /**
   * What a server says in the course of a request, as its host must see it: the withdrawal of a question names
   * the id that the host knows. Undefined when it is about nothing that the host was asked.
   */
  outgoing(frame: Buffer, requestKey: string): Buffer | undefined;
  /** Lets go of what a request asked, once its end leaves the answers with nowhere to go. */
  forget(requestKey: string): void;
  clear(): void;
}

interface Asked {
  /** The server's own id. */
  readonly original: string;
  readonly requestKey: string | undefined;
  readonly onAnswer: Answer;
}

/** Questions outside of any request have no end of their own; beyond this many the oldest of them is given up. */
const MAX_OPEN = 256;

/** False when everything that is open belongs to requests in flight. */
function makeRoom(open: Map<string, Asked>): boolean {
  if (open.size < MAX_OPEN) return true;
  const oldest = [...open].find(([, asked]) => asked.requestKey === undefined);
  return oldest !== undefined && open.delete(oldest[0]);
}

const WITHDRAWN = 'notifications/cancelled';

export function createQuestions(capabilities: Fields): Questions {
  const open = new Map<string, Asked>();
  let lastNumber = 0;

  return {
    ask: (question, onAnswer, send, requestKey) => {
      const span = question.members.get('id');
      if (!canAnswer(capabilities, question.method) || span === undefined || !makeRoom(open)) return false;
      const ownId = `"tollgate-${++lastNumber}"`;
      open.set(ownId, { original: question.idText ?? 'null', requestKey, onAnswer });
      if (send(splice(question.bytes, [{ start: span.start, end: span.end, text: ownId }]))) return true;
      open.delete(ownId);
      return false;
    },
    answer: (frame) => {
      const key = frame.idText === undefined ? '' : idKey(frame.idText);
      const asked = open.get(key);
      if (asked === undefined) return false;
      open.delete(key);
      asked.onAnswer(frame);
      return true;
    },
    outgoing: (frame, requestKey) => {
      const message = withdrawalIn(frame);
      if (message === undefined) return frame;
      const span = childMembers(frame, message.members.get('params'))?.get('requestId');
      if (span === undefined) return undefined;
      const original = idKey(textAt(frame, span));
      const found = [...open].find(
        ([, asked]) => asked.requestKey === requestKey && idKey(asked.original) === original,
      );
      if (found === undefined) return undefined;
      open.delete(found[0]);
      return splice(frame, [{ start: span.start, end: span.end, text: found[0] }]);
    },
    forget: (requestKey) => {
      for (const [key, asked] of open) if (asked.requestKey === requestKey) open.delete(key);
    },
    clear: () => open.clear(),
  };
}

/** The message by which a server takes a question back; undefined for every other. */
function withdrawalIn(frame: Buffer): Frame | undefined {
  if (!frame.includes(WITHDRAWN)) return undefined;
  const message = scanFrame(frame);
  return message.method === WITHDRAWN ? message : undefined;
}

/** The same for a host that is never asked: it has nothing that could be taken back. */
export const outgoingUnasked = (frame: Buffer): Buffer | undefined =>
  withdrawalIn(frame) === undefined ? frame : undefined;

const QUESTION_CAPABILITY: ReadonlyMap<string, string> = new Map([
  ['sampling/createMessage', 'sampling'],
  ['elicitation/create', 'elicitation'],
  ['roots/list', 'roots'],
]);

/** A host is asked only what it declared that it answers. */
function canAnswer(capabilities: Fields, method: string | undefined): boolean {
  const needed = QUESTION_CAPABILITY.get(method ?? '');
  return needed !== undefined && capabilities[needed] !== undefined && capabilities[needed] !== null;
}
