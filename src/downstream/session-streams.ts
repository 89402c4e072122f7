import type { ServerResponse } from 'node:http';
import { createResumableStream, parseEventId, type ResumableStream } from './resumable-stream.ts';

/** The event streams of one session: one for each request that needs it, and the one that GET opens. */
export interface SessionStreams {
  /** Begins the stream of a request. */
  open(res: ServerResponse): ResumableStream;
  /** Attaches the stream for messages that belong to no request; the older connection, if any, ends. */
  openGet(res: ServerResponse): void;
  /** Continues a broken stream; false when the id names none. */
  resume(res: ServerResponse, lastEventId: string): boolean;
  /** Sends on the GET stream; false when no host reads it just now, though it may come back for it. */
  tell(frame: Buffer, isEssential: boolean): boolean;
  readonly isListening: boolean;
  keepAlive(): void;
  close(): void;
}

const GET_STREAM = 'get';
/** Ended streams that wait for their host to come back; of more, or of larger ones, the oldest go. */
const MAX_WAITING = 64;
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

export function createSessionStreams(isPrimed: boolean): SessionStreams {
  const streams = new Map<string, ResumableStream>();
  const get = createResumableStream({ streamId: GET_STREAM, isPrimed, onSettled: () => undefined });
  let wasOpened = false;
  let getResponse: ServerResponse | undefined;
  let lastNumber = 0;

  const listen = (res: ServerResponse): void => {
    wasOpened = true;
    getResponse = res;
    res.on('close', () => {
      if (getResponse === res) getResponse = undefined;
    });
  };

  return {
    open: (res) => {
      dropOldest(streams);
      const streamId = `s${++lastNumber}`;
      const onSettled = (): void => void streams.delete(streamId);
      const stream = createResumableStream({ streamId, isPrimed, onSettled });
      streams.set(streamId, stream);
      stream.attach(res);
      return stream;
    },
    openGet: (res) => {
      listen(res);
      get.attach(res);
    },
    resume: (res, lastEventId) => {
      const position = parseEventId(lastEventId);
      if (position === undefined) return false;
      if (position.streamId === GET_STREAM) {
        if (!wasOpened) return false;
        listen(res);
        get.resume(res, position.sequence);
        return true;
      }
      const stream = streams.get(position.streamId);
      stream?.resume(res, position.sequence);
      return stream !== undefined;
    },
    tell: (frame, isEssential) => {
      // Nobody can come back for what was said before anybody listened.
      if (!wasOpened) return false;
      if (isEssential) get.send(frame);
      else get.notify(frame);
      return getResponse !== undefined;
    },
    get isListening() {
      return getResponse !== undefined;
    },
    keepAlive: () => get.keepAlive(),
    close: () => {
      getResponse?.end();
      getResponse = undefined;
      streams.clear();
    },
  };
}

/** From the newest back, keeps as many ended streams as fit. A stream that is still at work always stays. */
function dropOldest(streams: Map<string, ResumableStream>): void {
  let count = 0;
  let bytes = 0;
  for (const [streamId, stream] of [...streams].toReversed()) {
    if (!stream.isEnded) continue;
    count++;
    bytes += stream.keptBytes;
    if (count > MAX_WAITING || bytes > MAX_WAITING_BYTES) streams.delete(streamId);
  }
}
