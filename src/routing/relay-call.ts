import type { Snapshot } from '../catalog/index.ts';
import { asGatewayError, type Era, GatewayError, type ServerId } from '../domain/index.ts';
import {
  type CallSink,
  isHeaderMismatch,
  type UpstreamCall,
  type UpstreamConnection,
} from '../upstream/index.ts';
import {
  childMembers,
  errorFrame,
  type Frame,
  JsonScanError,
  stringAt,
  textAt,
  withId,
} from '../wire/index.ts';
import type { Exchange, HostRequest } from './host.ts';
import { inboundResponse, needsInbound } from './inbound.ts';
import type { InboundContext } from './inbound-context.ts';
import { isLogWanted } from './log-levels.ts';
import { mirroredHeaders } from './mirrored-headers.ts';
import { outboundFrame } from './outbound.ts';
import type { ReadRequest } from './read-request.ts';
import type { Target } from './targets.ts';

const METHOD_NOT_FOUND = -32_601;
const MISSING_CAPABILITY = -32_021;

export interface RelayCallDeps {
  readonly read: ReadRequest;
  readonly target: Target;
  readonly snapshot: Snapshot;
  readonly exchange: Exchange;
  readonly connection: UpstreamConnection;
  readonly idleMs: number;
  readonly maxMs: number;
  /** Called, instead of failing, when the server refused mirrored headers made from an outdated schema. */
  readonly retry: Retry | undefined;
  readonly keepsResult: boolean;
}

/** Sends a request once more, after its server was read again. */
export type Retry = (read: ReadRequest, exchange: Exchange, server: ServerId) => void;

/** One request on its way to an upstream, and what the upstream answers on its way back to the host. */
export class RelayCall implements CallSink, UpstreamCall, InboundContext {
  readonly method: string;
  readonly frame: Frame;
  readonly headers: readonly string[];
  readonly wantsWhole: boolean;
  readonly idleMs: number;
  readonly maxMs: number;
  readonly request: HostRequest;
  readonly server: ServerId;
  readonly upstreamEra: Era;
  readonly uris: Snapshot | undefined;
  readonly #deps: RelayCallDeps;

  constructor(deps: RelayCallDeps) {
    const { read, target, snapshot, connection } = deps;
    this.#deps = deps;
    this.request = read.request;
    this.server = target.server;
    this.upstreamEra = connection.era;
    this.uris = snapshot.mayRewriteUris(target.server) ? snapshot : undefined;
    this.method = read.request.method;
    this.frame = outboundFrame(read, target.rename, connection);
    this.headers = connection.era === 'modern' ? mirroredHeaders(read, target) : [];
    this.wantsWhole = needsInbound(this);
    this.idleMs = deps.idleMs;
    this.maxMs = deps.maxMs;
  }

  message(frame: Frame): void {
    try {
      if (frame.kind === 'request') this.#putQuestion(frame);
      else if (this.#isForHost(frame)) this.#deps.exchange.message(frame.bytes);
    } catch (thrown) {
      // A message that can be read in two ways is not passed on; who waits for its answer is told. What breaks
      // on the host's side ends this call, and must not reach the connection that others share.
      if (frame.kind === 'request') this.#refuse(frame, 'The request cannot be passed on');
      if (!(thrown instanceof JsonScanError))
        this.#deps.exchange.fail(asGatewayError(thrown, 'A message could not be passed on'));
    }
  }

  response(frame: Frame): void {
    const { exchange, keepsResult } = this.#deps;
    try {
      if (keepsResult) keepResult(exchange, frame);
      exchange.respond(this.wantsWhole ? inboundResponse(frame, this) : frame.bytes, this.#statusOf(frame));
    } catch (thrown) {
      const what = `Server ${this.server} answered with something that cannot be passed on`;
      const isTheirs = thrown instanceof JsonScanError;
      exchange.fail(
        isTheirs
          ? new GatewayError('UPSTREAM_MALFORMED', what, { data: { server: this.server }, cause: thrown })
          : asGatewayError(thrown, what),
      );
    }
  }

  responseStart(lengthBytes: number | undefined): void {
    this.#deps.exchange.respondStart(lengthBytes);
  }

  responseChunk(chunk: Buffer): boolean {
    return this.#deps.exchange.respondChunk(chunk);
  }

  responseEnd(): void {
    this.#deps.exchange.respondEnd();
  }

  rest(): void {
    this.#deps.exchange.rest();
  }

  failure(error: GatewayError): void {
    const { read, exchange, retry } = this.#deps;
    // The server read the headers and refused the call, so it is certain that nothing ran.
    if (retry !== undefined && isHeaderMismatch(error)) retry(read, exchange, this.server);
    else exchange.fail(error);
  }

  /**
   * A handshake server asks while it works. Only a host of the same era can be asked on its own stream; any
   * other is refused at once, because a server that waits for an answer nobody can give hangs the call.
   */
  #putQuestion(question: Frame): void {
    const { connection, exchange } = this.#deps;
    const isAsked =
      this.request.host.era === 'legacy' &&
      exchange.ask(question, (answer) => connection.reply(withId(answer, question.idText ?? 'null').bytes));
    if (!isAsked) this.#refuse(question, `The host cannot answer ${question.method ?? 'this'}`);
  }

  #refuse(question: Frame, why: string): void {
    const refusal = errorFrame(question.idText ?? 'null', METHOD_NOT_FOUND, why);
    this.#deps.connection.reply(Buffer.from(refusal));
  }

  /** Log messages go only to those who asked, at the level they asked for. */
  #isForHost({ method, bytes, members }: Frame): boolean {
    if (method !== 'notifications/message') return true;
    return isLogWanted(
      this.request.host,
      stringAt(bytes, childMembers(bytes, members.get('params'))?.get('level')),
    );
  }

  /**
   * A capability that the host lacks is a fault of its request, whoever found it; every other error of an upstream
   * stays in band. https://modelcontextprotocol.io/specification/2026-07-28/basic#meta
   */
  #statusOf(frame: Frame): number {
    if (frame.kind !== 'error' || this.upstreamEra !== 'modern') return 200;
    const code = childMembers(frame.bytes, frame.members.get('error'))?.get('code');
    return code !== undefined && Number(textAt(frame.bytes, code)) === MISSING_CAPABILITY ? 400 : 200;
  }
}

/** A copy: the frame is part of a larger piece of memory. Results that come in pieces are not kept. */
function keepResult(exchange: Exchange, { bytes, members }: Frame): void {
  const result = members.get('result');
  if (result !== undefined) exchange.notes.result = Buffer.from(bytes.subarray(result.start, result.end));
}
