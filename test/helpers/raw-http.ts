import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';

/** One answer exactly as it came. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Name, value, name, value, as they stood on the wire. */
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

export interface RawRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Buffer;
  /** Headers exactly as given: nothing is added but what HTTP itself needs. */
  readonly isBare?: boolean;
}

/** An answer that is read as it comes. */
export interface OpenAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The JSON-RPC messages so far, whether they came as events or as one document. */
  readonly messages: readonly Message[];
  /** Resolves with the first message that matches, or that did already. */
  until(isWanted: (message: Message) => boolean): Promise<Message>;
  /** The raw text so far. */
  text(): string;
  readonly ended: Promise<void>;
  pause(): void;
  resume(): void;
  /** Breaks the connection. */
  leave(): void;
}

export type Message = Readonly<Record<string, unknown>> & {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
};

const JSON_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

/** A request on its way. */
export interface Sending {
  readonly answer: Promise<OpenAnswer>;
  /** Breaks the connection, answered or not. */
  leave(): void;
}

/** Sends a request and reads its answer while it comes. Each has a connection of its own. */
export const open = (url: string, options: RawRequest = {}): Promise<OpenAnswer> => send(url, options).answer;

/** The same for a caller that may leave before there is an answer. */
export function send(url: string, options: RawRequest = {}): Sending {
  const { method = 'POST', body } = options;
  const own = method === 'POST' ? JSON_HEADERS : { accept: 'text/event-stream' };
  const headers: Record<string, string | readonly string[]> = {
    ...(options.isBare === true ? {} : own),
    ...options.headers,
  };
  const sent = request(url, { method, headers: headers as IncomingHttpHeaders, agent: false });
  const answer = new Promise<OpenAnswer>((resolve, reject) => {
    sent.on('error', reject);
    sent.on('response', (res) => resolve(read(res, () => void sent.destroy())));
  });
  sent.end(body);
  return { answer, leave: () => void sent.destroy() };
}

function read(res: IncomingMessage, leave: () => void): OpenAnswer {
  let text = '';
  let readTo = 0;
  let isOver = false;
  const messages: Message[] = [];
  const waiting = new Set<() => void>();
  const isStream = res.headers['content-type'] === 'text/event-stream';
  const wake = (): void => {
    for (const look of [...waiting]) look();
  };
  res.setEncoding('utf8');
  res.on('data', (chunk: string) => {
    text += chunk;
    if (isStream) readTo = takeEvents(text, readTo, messages);
    wake();
  });
  res.on('end', () => {
    if (!isStream && text !== '') messages.push(...([JSON.parse(text)].flat() as Message[]));
  });
  res.on('error', () => undefined);
  const ended = new Promise<void>((done) => {
    res.on('close', () => {
      isOver = true;
      wake();
      done();
    });
  });
  return {
    status: res.statusCode ?? 0,
    headers: res.headers,
    messages,
    text: () => text,
    ended,
    pause: () => void res.pause(),
    resume: () => void res.resume(),
    leave,
    until: (isWanted) =>
      new Promise((found, missed) => {
        const look = (): void => {
          const message = messages.find(isWanted);
          if (message === undefined && !isOver) return;
          waiting.delete(look);
          if (message !== undefined) found(message);
          else missed(new Error(`the answer ended without it:\n${text}`));
        };
        waiting.add(look);
        look();
      }),
  };
}

/** Adds the messages of the events that are complete; returns where the next one begins. */
function takeEvents(text: string, from: number, messages: Message[]): number {
  let at = from;
  for (let end = text.indexOf('\n\n', at); end >= 0; end = text.indexOf('\n\n', at)) {
    const data = dataOf(text.slice(at, end));
    if (data !== '') messages.push(JSON.parse(data) as Message);
    at = end + 2;
  }
  return at;
}

function dataOf(event: string): string {
  return event
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).replace(/^ /, ''))
    .join('\n');
}

/** Sends a request and waits for the whole answer. */
export function exchange(url: string, options: RawRequest = {}): Promise<RawAnswer> {
  const { method = 'POST', body } = options;
  const headers: Record<string, string | readonly string[]> = {
    ...(options.isBare === true || method !== 'POST' ? {} : JSON_HEADERS),
    ...options.headers,
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: headers as IncomingHttpHeaders, agent: false }, (res) => {
      const parts: Buffer[] = [];
      res.on('data', (chunk: Buffer) => parts.push(chunk));
      res.on('error', reject);
      res.on('end', () => {
        resolve({
          status: res.statusCode ?? 0,
          headers: res.headers,
          rawHeaders: res.rawHeaders,
          body: Buffer.concat(parts).toString('utf8'),
        });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
