import type { ServerResponse } from 'node:http';
import type { Principal } from '../domain/index.ts';
import { type Host, legacyNotification, type ListKind, type Subscriber } from '../routing/index.ts';
import { type Frame, splice } from '../wire/index.ts';
import { createResumableStream, parseEventId, type ResumableStream } from './event-stream.ts';
import type { Fields } from './message.ts';

export interface LegacyHandshake {
  readonly principal: Principal;
  readonly protocolVersion: string;
  readonly capabilities: Fields;
  readonly clientInfo: Fields | undefined;
}

/** A request of this session that is being served, by the text of its id. */
export interface InFlight {
  cancel(reason: string): void;
}

type Answer = (answer: Frame) => void;

/** Sends a frame to the host; false when there is no way to it just now. */
type Send = (frame: Buffer) => boolean;

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
  /** Puts a question to the host over `send`, under an id of this hop. */
  ask(question: Frame, onAnswer: Answer, send: Send): boolean;
  /** Takes the host's answer to a question; false when nobody asked it. */
  answer(frame: Frame): boolean;
  readonly inFlight: Map<string, InFlight>;
  /** Work that keeps an idle session alive: requests, questions, an open stream. */
  isBusy(): boolean;
  keepAlive(): void;
  close(): void;
}

const GET_STREAM = 'get';
/** Ended streams that wait to be resumed; the oldest goes first. */
const MAX_STREAMS = 64;

/** `transmit` is the way to the host outside of any request; over HTTP that is the GET stream. */
export function createLegacySession(id: string, handshake: LegacyHandshake, transmit?: Send): LegacySession {
  const streams = new Map<string, ResumableStream>();
  const questions = new Map<string, { readonly original: string | undefined; readonly onAnswer: Answer }>();
  const inFlight = new Map<string, InFlight>();
  let getResponse: ServerResponse | undefined;
  let getStream: ResumableStream | undefined;
  let lastNumber = 0;
  let host: Host = {
    ...handshake,
    era: 'legacy',
    sessionKey: id,
    logLevel: undefined,
  };

  const toGetStream: Send = (frame) => {
    if (getStream === undefined) return false;
    getStream.send(frame);
    return getResponse !== undefined;
  };
  const outside = transmit ?? toGetStream;

  const ask = (question: Frame, onAnswer: Answer, send: Send): boolean => {
    if (!canAnswer(handshake.capabilities, question.method)) return false;
    const ownId = `"tollgate-${++lastNumber}"`;
    const span = question.members.get('id');
    if (span === undefined) return false;
    questions.set(ownId, { original: question.idText, onAnswer });
    if (send(splice(question.bytes, [{ start: span.start, end: span.end, text: ownId }]))) return true;
    questions.delete(ownId);
    return false;
  };

  const createStream = (res: ServerResponse): ResumableStream => {
    const streamId = `s${++lastNumber}`;
    const stream = createResumableStream(streamId, () => streams.delete(streamId));
    streams.set(streamId, stream);
    dropOldest(streams);
    stream.attach(res);
    return stream;
  };

  const subscriber: Subscriber = {
    principal: handshake.principal,
    wants: (_list: ListKind) => true,
    notify: (method, params) => void outside(legacyNotification(method, params)),
    session: {
      host: () => host,
      log: (frame) => void outside(frame),
      ask: (question, onAnswer) => ask(question, onAnswer, outside),
    },
  };

  return {
    id,
    subscriber,
    inFlight,
    host: () => host,
    setLogLevel: (level) => {
      host = { ...host, logLevel: level };
    },
    openStream: createStream,
    openGetStream: (res) => {
      getResponse?.end();
      getResponse = res;
      getStream ??= createResumableStream(GET_STREAM, () => undefined);
      getStream.attach(res);
      res.on('close', () => {
        if (getResponse === res) getResponse = undefined;
      });
    },
    resume: (res, lastEventId) => {
      const position = parseEventId(lastEventId);
      if (position === undefined) return false;
      if (position.streamId === GET_STREAM && getStream !== undefined) {
        getResponse = res;
        getStream.resume(res, position.sequence);
        return true;
      }
      const stream = streams.get(position.streamId);
      stream?.resume(res, position.sequence);
      return stream !== undefined;
    },
    ask,
    answer: (frame) => {
      const question = frame.idText === undefined ? undefined : questions.get(frame.idText);
      if (question === undefined || frame.idText === undefined) return false;
      questions.delete(frame.idText);
      question.onAnswer(frame);
      return true;
    },
    isBusy: () => inFlight.size > 0 || questions.size > 0 || getResponse !== undefined,
    keepAlive: () => getStream?.keepAlive(),
    close: () => {
      for (const request of inFlight.values()) request.cancel('The session ended');
      inFlight.clear();
      questions.clear();
      getResponse?.end();
      getResponse = undefined;
      streams.clear();
    },
  };
}

function dropOldest(streams: Map<string, ResumableStream>): void {
  if (streams.size <= MAX_STREAMS) return;
  for (const [streamId, stream] of streams) {
    if (!stream.isEnded) continue;
    streams.delete(streamId);
    return;
  }
}

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
