import { describe, expect, it } from 'vitest';
import { GatewayError } from '../../../src/domain/index.ts';
import { type BufferedExchange, createBufferedExchange } from '../../../src/downstream/buffered-exchange.ts';
import type { Outcome } from '../../../src/downstream/outcome.ts';
import { manualClock } from '../upstream/manual-clock.ts';
import { hostOf, summaries } from './exchanges.ts';

const RESULT = '{"jsonrpc":"2.0","id":1,"result":{}}';

function begun() {
  const clock = manualClock();
  const messages: string[] = [];
  const responses: string[] = [];
  const outcomes: Outcome[] = [];
  const exchange: BufferedExchange = createBufferedExchange({
    host: hostOf('modern'),
    method: 'tools/call',
    idText: '"x"',
    requestBytes: 10,
    clock,
    message: (frame) => messages.push(frame.toString()),
    respond: (frame) => responses.push(frame.toString()),
    ask: () => true,
    onEnd: (outcome) => outcomes.push(outcome),
  });
  return { clock, messages, responses, outcomes, exchange };
}

describe('an answer in whole messages', () => {
  it('is the response as it came, after what came before it', () => {
    const { exchange, messages, responses, outcomes, clock } = begun();
    exchange.message(Buffer.from('m'));
    clock.advance(3);
    exchange.respond(Buffer.from(RESULT), 404);
    expect([messages, responses]).toEqual([['m'], [RESULT]]);
    expect(summaries(outcomes)).toEqual([
      { status: 'ok', requestBytes: 10, responseBytes: RESULT.length, durationMs: 3 },
    ]);
  });

  it('is a large result put together', () => {
    const { exchange, responses } = begun();
    exchange.respondStart(undefined);
    for (const part of ['{"a"', ':', '1}']) expect(exchange.respondChunk(Buffer.from(part))).toBe(true);
    exchange.respondEnd();
    expect(responses).toEqual(['{"a":1}']);
  });

  it('is an error under the id of the request', () => {
    const { exchange, responses, outcomes } = begun();
    exchange.fail(new GatewayError('NAME_UNKNOWN', 'Unknown tool: t'));
    expect(responses).toEqual([
      '{"jsonrpc":"2.0","id":"x","error":{"code":-32602,"message":"Unknown tool: t"}}',
    ]);
    expect(outcomes[0]?.status).toBe('NAME_UNKNOWN');
  });

  it('comes after the end of its request is noted, so that its id is free when the host has it', () => {
    const order: string[] = [];
    const exchange = createBufferedExchange({
      host: hostOf('legacy'),
      method: 'm',
      idText: '1',
      requestBytes: 0,
      clock: manualClock(),
      message: () => undefined,
      respond: () => order.push('response'),
      ask: () => false,
      onEnd: () => order.push('end'),
    });
    exchange.respond(Buffer.from(RESULT), 200);
    expect(order).toEqual(['end', 'response']);
  });

  it('is none for a request that its host cancelled', () => {
    const { exchange, responses, outcomes } = begun();
    const reasons: string[] = [];
    exchange.onCancel((reason) => reasons.push(reason));
    exchange.cancel('enough');
    exchange.cancel('again');
    exchange.onCancel((reason) => reasons.push(`late: ${reason}`));
    exchange.respond(Buffer.from(RESULT), 200);
    expect([reasons, responses, outcomes.map(({ status }) => status)]).toEqual([
      ['enough', 'late: enough'],
      [],
      ['cancelled'],
    ]);
  });

  it('is one, whatever comes later', () => {
    const { exchange, messages, responses, outcomes } = begun();
    exchange.respond(Buffer.from(RESULT), 200);
    exchange.message(Buffer.from('late'));
    exchange.respondStart(1);
    exchange.respondChunk(Buffer.from('x'));
    exchange.respondEnd();
    exchange.fail(new GatewayError('INTERNAL', 'x'));
    exchange.cancel('late');
    expect(exchange.ask(undefined as never, () => undefined)).toBe(false);
    expect([messages, responses.length, outcomes.length]).toEqual([[], 1, 1]);
  });
});
