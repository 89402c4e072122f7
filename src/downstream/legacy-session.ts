import type { ServerResponse } from 'node:http';
import type { Principal } from '../domain/index.ts';
import { type Host, legacyNotification, type ListKind, type Subscriber } from '../routing/index.ts';
import type { Frame } from '../wire/index.ts';
import type { Fields } from './message.ts';
import { type Answer, createQuestions, type Send } from './questions.ts';
import { idKey } from './request-ids.ts';
import type { ResumableStream } from './resumable-stream.ts';
import { createSessionStreams, type SessionStreams } from './session-streams.ts';

export interface LegacyHandshake {
  readonly principal: Principal;
  readonly protocolVersion: string;
  readonly capabilities: Fields;
  readonly clientInfo: Fields | undefined;
}

/** A request of this session that is being served. */
export interface InFlight {
  cancel(reason: string): void;
  /** Sends a question on the request's own stream; false where it has none. Absent where requests have no streams. */
  question?(frame: Buffer): boolean;
}

/** What a handshake host negotiated, and everything of it that must end with it. */
export interface LegacySession {
  readonly id: string;
  readonly subscriber: Subscriber;
  host(): Host;
  setLogLevel(level: string): void;
  /** Streams that the host may resume; the id of a POST's stream is its own, that of GET is fixed. */
  openStream(res: ServerResponse): ResumableStream;
  /** Attaches the stream for messages that belong to no request; the older one, if any, ends. */
  openGetStream(res: ServerResponse): void;
  /** Continues a broken stream; false when the id names none. */
  resume(res: ServerResponse, lastEventId: string): boolean;
  /** Notes a request that begins; false when one with an equal id has not ended. */
  begin(idText: string, request: InFlight): boolean;
  /** Notes the end of a request, and lets go of what was asked in its course. */
  finish(idText: string): void;
  isInFlight(idText: string): boolean;
  /** Cancels a request by its id; nothing when there is none. */
  cancel(idText: string, reason: string): void;
  /** Puts a question to the host over `send`, under an id of this hop, in the course of a request. */
  ask(idText: string, question: Frame, onAnswer: Answer, send: Send): boolean;
  /** Takes the host's answer to a question; false when nobody asked it. */
  answer(frame: Frame): boolean;
  /** What a server says in the course of a request, as the host must see it; undefined for what is not for it. */
  outgoing(idText: string, frame: Buffer): Buffer | undefined;
  /** Work that keeps an idle session alive: requests, or an open stream. */
  isBusy(): boolean;
  keepAlive(): void;
  close(): void;
}

/** The first revision whose streams open with an event that a host can resume from. */
export const PRIMING_VERSION = '2025-11-25';

/** `transmit` is the way to the host outside of any request; over HTTP that is the GET stream. */
export function createLegacySession(id: string, handshake: LegacyHandshake, transmit?: Send): LegacySession {
  const streams = createSessionStreams(handshake.protocolVersion >= PRIMING_VERSION);
  const questions = createQuestions(handshake.capabilities);
  const inFlight = new Map<string, InFlight>();
  let host: Host = {
    ...handshake,
    era: 'legacy',
    sessionKey: id,
    logLevel: undefined,
  };
  const tell = transmit ?? ((frame: Buffer) => streams.tell(frame, false));
  const put = transmit ?? ((frame: Buffer) => putSomewhere(streams, inFlight, frame));

  const subscriber: Subscriber = {
    principal: handshake.principal,
    wants: (_list: ListKind) => true,
    notify: (method, params) => void tell(legacyNotification(method, params)),
    session: {
      host: () => host,
      log: (frame) => void tell(frame),
      ask: (question, onAnswer) => questions.ask(question, onAnswer, put),
    },
  };

  return {
    id,
    subscriber,
    host: () => host,
    setLogLevel: (level) => {
      host = { ...host, logLevel: level };
    },
    openStream: (res) => streams.open(res),
    openGetStream: (res) => streams.openGet(res),
    resume: (res, lastEventId) => streams.resume(res, lastEventId),
    begin: (idText, request) => {
      const key = idKey(idText);
      if (inFlight.has(key)) return false;
      inFlight.set(key, request);
      return true;
    },
    finish: (idText) => {
      const key = idKey(idText);
      inFlight.delete(key);
      questions.forget(key);
    },
    isInFlight: (idText) => inFlight.has(idKey(idText)),
    cancel: (idText, reason) => inFlight.get(idKey(idText))?.cancel(reason),
    ask: (idText, question, onAnswer, send) => questions.ask(question, onAnswer, send, idKey(idText)),
    answer: (frame) => questions.answer(frame),
    outgoing: (idText, frame) => questions.outgoing(frame, idKey(idText)),
    isBusy: () => inFlight.size > 0 || streams.isListening,
    keepAlive: () => streams.keepAlive(),
    close: () => {
      for (const request of [...inFlight.values()]) request.cancel('The session ended');
      inFlight.clear();
      questions.clear();
      streams.close();
    },
  };
}

/** A host that does not listen can still be asked on the stream of anything that it waits for. */
const putSomewhere = (
  streams: SessionStreams,
  inFlight: ReadonlyMap<string, InFlight>,
  frame: Buffer,
): boolean =>
  streams.isListening
    ? streams.tell(frame, true)
    : [...inFlight.values()].some((request) => request.question?.(frame) === true);
