import { asGatewayError } from '../domain/index.ts';
import { type CallSink, isHeaderMismatch, type UpstreamConnection } from '../upstream/index.ts';
import { childMembers, errorFrame, type Frame, stringAt, textAt } from '../wire/index.ts';
import type { Exchange } from './host.ts';
import { answerWithId, type InboundContext, inboundResponse, needsInbound } from './inbound.ts';
import { isLogWanted } from './log-levels.ts';

const METHOD_NOT_FOUND = -32601;
const MISSING_CAPABILITY = -32021;

export interface RelaySinkDeps {
  readonly inbound: InboundContext;
  readonly exchange: Exchange;
  readonly connection: UpstreamConnection;
  /** Sends the call again after the server said that its mirrored headers are out of date; once. */
  readonly retry: (() => void) | undefined;
}

/** Carries what an upstream answers to one request back to the host that made it. */
export function createRelaySink(deps: RelaySinkDeps): CallSink & { readonly wantsWhole: boolean } {
  const { inbound, exchange } = deps;
  const isEdited = needsInbound(inbound);
  return {
    wantsWhole: isEdited,
    message: (frame) => {
      if (frame.kind === 'request') putQuestion(deps, frame);
      else if (isForHost(inbound, frame)) exchange.message(frame.bytes);
    },
    response: (frame) => {
      try {
        exchange.respond(isEdited ? inboundResponse(frame, inbound) : frame.bytes, statusOf(frame));
      } catch (thrown) {
        const what = `Server ${inbound.server} answered with something that cannot be passed on`;
        exchange.fail(asGatewayError(thrown, what));
      }
    },
    responseStart: (lengthBytes) => exchange.respondStart(lengthBytes),
    responseChunk: (chunk) => exchange.respondChunk(chunk),
    responseEnd: () => exchange.respondEnd(),
    rest: () => exchange.rest(),
    failure: (error) => {
      // The server read the headers and refused the call, so it is certain that nothing ran.
      if (isHeaderMismatch(error) && deps.retry !== undefined) deps.retry();
      else exchange.fail(error);
    },
  };
}

/**
 * A handshake server asks while it works. Only a host of the same era can be asked on its own stream; any
 * other is refused at once, because a server that waits for an answer nobody can give hangs the call.
 */
function putQuestion(deps: RelaySinkDeps, question: Frame): void {
  const { connection, exchange, inbound } = deps;
  const idText = question.idText ?? 'null';
  const isAsked =
    inbound.request.host.era === 'legacy' &&
    exchange.ask(question, (answer) => connection.reply(answerWithId(answer, idText)));
  if (isAsked) return;
  const refusal = errorFrame(idText, METHOD_NOT_FOUND, `The host cannot answer ${question.method ?? 'this'}`);
  connection.reply(Buffer.from(refusal));
}

/** Log messages go only to those who asked, at the level they asked for. */
function isForHost(inbound: InboundContext, frame: Frame): boolean {
  if (frame.method !== 'notifications/message') return true;
  const level = stringAt(frame.bytes, childMembers(frame.bytes, frame.members.get('params'))?.get('level'));
  return isLogWanted(inbound.request.host, level);
}

/**
 * A capability that the host lacks is a fault of its request, whoever found it; every other error of an upstream
 * stays in band. https://modelcontextprotocol.io/specification/2026-07-28/basic#meta
 */
function statusOf(frame: Frame): number {
  if (frame.kind !== 'error') return 200;
  const code = childMembers(frame.bytes, frame.members.get('error'))?.get('code');
  return code !== undefined && Number(textAt(frame.bytes, code)) === MISSING_CAPABILITY ? 400 : 200;
}
