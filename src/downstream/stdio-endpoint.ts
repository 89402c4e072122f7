import type { Readable, Writable } from 'node:stream';
import { asGatewayError, BATCH_VERSION, type Clock, GatewayError, type Principal } from '../domain/index.ts';
import type { Host, Hub } from '../routing/index.ts';
import { resultFrame } from '../wire/index.ts';
import { type BatchWay, serveBatch } from './batch.ts';
import { parseJson } from './body.ts';
import { createBufferedExchange, type BufferedExchange } from './buffered-exchange.ts';
import { errorAnswer } from './error-responses.ts';
import { createHostPipe, type HostPipe } from './host-pipe.ts';
import { cancellationIn, takeNotification } from './legacy-notifications.ts';
import { legacyRequest } from './legacy-request.ts';
import { createLegacySession, type LegacySession } from './legacy-session.ts';
import { type HostMessage, isRecord, readMessage } from './message.ts';
import { type Methods, negotiateLegacyVersion } from './methods.ts';
import { eraOf, modernHost } from './modern-envelope.ts';
import type { OutcomeListener } from './outcome.ts';
import { outgoingUnasked } from './questions.ts';
import { idKey, readableId } from './request-ids.ts';

export interface StdioEndpointDeps {
  readonly input: Readable;
  readonly output: Writable;
  readonly principal: Principal;
  readonly methods: Methods;
  readonly hub: Hub;
  readonly clock: Clock;
  readonly maxLineBytes: number;
  readonly onEnd: OutcomeListener;
  readonly forward: (session: LegacySession, message: HostMessage) => void;
  /** Lets go of what upstreams hold for a session that a new handshake replaces. */
  readonly onSessionEnd: (sessionId: string) => void;
  /** The host closed its end: the gateway is to stop. */
  readonly onClosed: () => void;
}

export interface StdioEndpoint {
  /** True while a request waits for its response. */
  isBusy(): boolean;
  close(): void;
}

/** One host over a pipe. Each message says its own era; a handshake makes the pipe's one session. */
export function createStdioEndpoint(deps: StdioEndpointDeps): StdioEndpoint {
  return new PipeEndpoint(deps);
}

class PipeEndpoint implements StdioEndpoint {
  readonly #deps: StdioEndpointDeps;
  readonly #pipe: HostPipe;
  /** Stateless requests and handshakes in flight, by id; those of the session stand in it. */
  readonly #stateless = new Map<string, BufferedExchange>();
  #session: LegacySession | undefined;
  #leave: (() => void) | undefined;
  #handshakes = 0;

  constructor(deps: StdioEndpointDeps) {
    this.#deps = deps;
    const { input, output, maxLineBytes, onClosed } = deps;
    this.#pipe = createHostPipe({
      input,
      output,
      maxLineBytes,
      onLine: (line) => this.#line(line),
      onTooLong: (lineBytes) => {
        const what = `A line of ${lineBytes} bytes is over the limit of ${maxLineBytes} (limits.requestBodyBytes)`;
        this.#refuse(new GatewayError('REQUEST_INVALID', what), undefined);
      },
      onClosed,
    });
  }

  isBusy(): boolean {
    return this.#stateless.size > 0 || this.#session?.isBusy() === true;
  }

  close(): void {
    for (const exchange of [...this.#stateless.values()]) exchange.cancel('The gateway is stopping');
    this.#endSession();
    this.#pipe.close();
  }

  #refuse(error: GatewayError, idText: string | undefined): void {
    this.#pipe.send(errorAnswer(error, idText, 'modern').body);
  }

  #line(bytes: Buffer): void {
    let idText: string | undefined;
    try {
      const value = parseJson(bytes);
      if (Array.isArray(value)) return this.#takeBatch(bytes, value);
      idText = readableId(bytes, value);
      this.#take(readMessage(bytes, value));
    } catch (thrown) {
      this.#refuse(asGatewayError(thrown, 'The message could not be read'), idText);
    }
  }

  #take(message: HostMessage): void {
    const { kind, method, idText = 'null' } = message.frame;
    if (kind !== 'request') return this.#takeOther(message);
    if (eraOf(message, false) === 'modern') return this.#serveModern(message);
    if (method === 'initialize') return this.#initialize(message);
    if (this.#session !== undefined) return this.#serveInSession(this.#session, message);
    if (method === 'ping') return void this.#pipe.send(resultFrame(idText, '{}'));
    throw new GatewayError(
      'REQUEST_INVALID',
      'Begin with initialize, or carry the envelope of the stateless revision in params._meta',
    );
  }

  #takeOther(message: HostMessage): void {
    if (message.frame.kind !== 'notification') {
      this.#session?.answer(message.frame);
      return;
    }
    const cancelled = cancellationIn(message);
    const stateless = cancelled === undefined ? undefined : this.#stateless.get(idKey(cancelled.idText));
    if (stateless !== undefined && cancelled !== undefined) stateless.cancel(cancelled.reason);
    else if (this.#session !== undefined) takeNotification(this.#session, message, this.#deps.forward);
  }

  #takeBatch(bytes: Buffer, values: readonly unknown[]): void {
    const session = this.#session;
    if (session?.host().protocolVersion !== BATCH_VERSION || values.length === 0) {
      const what = `Batches are part of protocol version ${BATCH_VERSION} alone, and are never empty`;
      throw new GatewayError('REQUEST_INVALID', what);
    }
    const { methods, clock, onEnd } = this.#deps;
    const take = (message: HostMessage): void => this.#takeOther(message);
    serveBatch({ session, methods, clock, onEnd, take }, pipeBatchWay(this.#pipe), bytes, values);
  }

  #serveModern(message: HostMessage): void {
    const host = modernHost(message, this.#deps.principal, undefined);
    const { frame, params, paramsSpan } = message;
    const { idText = 'null', method = '' } = frame;
    refuseDuplicate(this.#stateless.has(idKey(idText)), idText);
    const request = { host, frame, method, idText, params, paramsSpan, headerOf: undefined };
    this.#deps.methods.serve(request, this.#open(message, host), undefined);
  }

  #serveInSession(session: LegacySession, message: HostMessage): void {
    const { idText = 'null' } = message.frame;
    refuseDuplicate(session.isInFlight(idText), idText);
    const exchange = this.#exchange(message, session.host(), {
      outgoing: (frame) => session.outgoing(idText, frame),
      ask: (question, onAnswer) => session.ask(idText, question, onAnswer, (frame) => this.#pipe.send(frame)),
      ended: () => session.finish(idText),
    });
    session.begin(idText, exchange);
    this.#deps.methods.serve(legacyRequest(session, message), exchange, session);
  }

  /** Begins a request that stands in no session. */
  #open(message: HostMessage, host: Host): BufferedExchange {
    const key = idKey(message.frame.idText ?? 'null');
    const exchange = this.#exchange(message, host, {
      outgoing: outgoingUnasked,
      ask: () => false,
      ended: () => this.#stateless.delete(key),
    });
    this.#stateless.set(key, exchange);
    return exchange;
  }

  #exchange(message: HostMessage, host: Host, course: Course): BufferedExchange {
    const { idText = 'null', method = '', bytes } = message.frame;
    return createBufferedExchange({
      host,
      method,
      idText,
      requestBytes: bytes.length,
      clock: this.#deps.clock,
      message: (frame) => {
        const own = course.outgoing(frame);
        if (own !== undefined) this.#pipe.notify(own);
      },
      respond: (frame) => void this.#pipe.send(frame),
      ask: course.ask,
      onEnd: (outcome) => {
        course.ended();
        this.#deps.onEnd(outcome);
      },
    });
  }

  #initialize(message: HostMessage): void {
    const { idText = 'null' } = message.frame;
    refuseDuplicate(this.#stateless.has(idKey(idText)), idText);
    this.#endSession();
    const { capabilities, clientInfo, protocolVersion } = message.params;
    const handshake = {
      principal: this.#deps.principal,
      protocolVersion: negotiateLegacyVersion(protocolVersion),
      capabilities: isRecord(capabilities) ? capabilities : {},
      clientInfo: isRecord(clientInfo) ? clientInfo : undefined,
    };
    // A name of its own for each handshake: what servers hold for the one before must not serve this one.
    const id = `stdio-${++this.#handshakes}`;
    const session = createLegacySession(id, handshake, (frame) => this.#pipe.send(frame));
    this.#session = session;
    const exchange = this.#open(message, session.host());
    this.#deps.methods.initializeResult(session.host()).then(
      (resultText) => {
        exchange.respond(Buffer.from(resultFrame(idText, resultText)), 200);
        // A host that does not know yet what it agreed to is told of no changes.
        if (this.#session === session) this.#leave = this.#deps.hub.add(session.subscriber);
      },
      (thrown: unknown) => exchange.fail(asGatewayError(thrown, 'The handshake failed')),
    );
  }

  #endSession(): void {
    const session = this.#session;
    if (session === undefined) return;
    this.#session = undefined;
    this.#leave?.();
    this.#leave = undefined;
    session.close();
    this.#deps.onSessionEnd(session.id);
  }
}

/** What differs between the requests of a session and others while they are served. */
interface Course {
  readonly outgoing: (frame: Buffer) => Buffer | undefined;
  readonly ask: BufferedExchange['ask'];
  readonly ended: () => void;
}

/** A batch is answered as one array; what comes before its responses goes out at once. */
function pipeBatchWay(pipe: HostPipe): BatchWay {
  const responses: string[] = [];
  return {
    notify: (frame) => pipe.notify(frame),
    question: (frame) => pipe.send(frame),
    respond: (frame) => void responses.push(frame.toString('utf8')),
    done: () => {
      if (responses.length > 0) pipe.send(`[${responses.join(',')}]`);
    },
  };
}

function refuseDuplicate(isInFlight: boolean, idText: string): void {
  if (isInFlight)
    throw new GatewayError('REQUEST_INVALID', `A request with id ${idText} is still being served`);
}
