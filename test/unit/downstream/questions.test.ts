import { describe, expect, it } from 'vitest';
import { createQuestions, outgoingUnasked } from '../../../src/downstream/questions.ts';
import { type Frame, scanFrame } from '../../../src/wire/index.ts';

const frameOf = (message: Record<string, unknown>): Frame =>
  scanFrame(Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message })));
const elicitation = (id: unknown, params: Record<string, unknown> = {}): Frame =>
  frameOf({ id, method: 'elicitation/create', params });
const parsed = (frame: Buffer | undefined): unknown =>
  frame === undefined ? undefined : JSON.parse(frame.toString());

function asking(capabilities: Record<string, unknown> = { elicitation: {} }) {
  const sent: { id: string; method: string }[] = [];
  const answers: string[] = [];
  const questions = createQuestions(capabilities);
  const send = (frame: Buffer): boolean => sent.push(parsed(frame) as (typeof sent)[number]) > 0;
  const ask = (question: Frame, requestKey?: string): boolean =>
    questions.ask(question, (answer) => answers.push(answer.bytes.toString()), send, requestKey);
  return { questions, sent, answers, ask, send };
}

describe('a question of a server', () => {
  it('goes out under an id of this hop, with its bytes as they were', () => {
    const { sent, ask, questions, answers } = asking();
    expect(ask(elicitation(1, { a: null }))).toBe(true);
    expect(ask(elicitation(1))).toBe(true);
    expect(sent[0]).toMatchObject({ method: 'elicitation/create', params: { a: null } });
    expect(sent[0]?.id).not.toBe(sent[1]?.id);
    expect(questions.answer(frameOf({ id: sent[1]?.id, result: { second: true } }))).toBe(true);
    expect(questions.answer(frameOf({ id: sent[0]?.id, error: { code: -1, message: 'no' } }))).toBe(true);
    expect(answers.map((text) => JSON.parse(text) as unknown)).toMatchObject([
      { result: { second: true } },
      { error: { code: -1 } },
    ]);
  });

  it('is answered once, under its own id, by nobody else', () => {
    const { sent, ask, questions } = asking();
    ask(elicitation(1));
    for (const id of [1, '1', 'tollgate-2', sent[0]?.id.toUpperCase()])
      expect(questions.answer(frameOf({ id, result: {} }))).toBe(false);
    expect(questions.answer(frameOf({ id: null, error: { code: -32700, message: 'x' } }))).toBe(false);
    expect(questions.answer(frameOf({ id: sent[0]?.id, result: {} }))).toBe(true);
    expect(questions.answer(frameOf({ id: sent[0]?.id, result: {} }))).toBe(false);
  });

  it.each([
    ['elicitation/create', { elicitation: {} }, true],
    ['elicitation/create', { elicitation: null }, false],
    ['elicitation/create', { sampling: {} }, false],
    ['sampling/createMessage', { sampling: {} }, true],
    ['roots/list', { roots: { listChanged: true } }, true],
    ['roots/list', {}, false],
    ['tools/list', { tools: {} }, false],
    ['toString', { elicitation: {} }, false],
  ])('%s of a host that declared %j is put: %s', (method, capabilities, expected) => {
    expect(asking(capabilities).ask(frameOf({ id: 1, method }))).toBe(expected);
  });

  it('is not put where there is no way to the host, and its answer is not waited for', () => {
    const { questions } = asking();
    let id = '';
    const refused = (frame: Buffer): boolean => {
      ({ id } = parsed(frame) as { id: string });
      return false;
    };
    expect(questions.ask(elicitation(1), () => undefined, refused)).toBe(false);
    expect(questions.answer(frameOf({ id, result: {} }))).toBe(false);
  });

  it('is let go with the request in whose course it was asked', () => {
    const { questions, sent, ask } = asking();
    ask(elicitation(1), '5');
    ask(elicitation(2), '6');
    questions.forget('5');
    expect(questions.answer(frameOf({ id: sent[0]?.id, result: {} }))).toBe(false);
    expect(questions.answer(frameOf({ id: sent[1]?.id, result: {} }))).toBe(true);
  });

  it('gives way when nobody answers, the oldest first, unless a request still waits for it', () => {
    const { ask, sent, questions } = asking();
    ask(elicitation('owned'), '5');
    for (let id = 0; id < 300; id++) expect(ask(elicitation(id))).toBe(true);
    const isOpen = (index: number): boolean => questions.answer(frameOf({ id: sent[index]?.id, result: {} }));
    expect([isOpen(0), isOpen(1), isOpen(45), isOpen(46), isOpen(300)]).toEqual([
      true,
      false,
      false,
      true,
      true,
    ]);
    const full = asking();
    for (let id = 0; id < 256; id++) full.ask(elicitation(id), String(id));
    expect(full.ask(elicitation('one more'))).toBe(false);
  });
});

describe('a question that its server takes back', () => {
  const withdrawal = (requestId: unknown, more: Record<string, unknown> = {}): Buffer =>
    frameOf({ method: 'notifications/cancelled', params: { requestId, ...more } }).bytes;

  it('is withdrawn by the id that the host knows, and its answer is late', () => {
    const { questions, sent, ask } = asking();
    ask(elicitation('q'), '5');
    expect(parsed(questions.outgoing(withdrawal('q', { reason: 'r' }), '5'))).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: sent[0]?.id, reason: 'r' },
    });
    expect(questions.answer(frameOf({ id: sent[0]?.id, result: {} }))).toBe(false);
  });

  it('is one of the same request, by an id of the same value', () => {
    const { questions, ask } = asking();
    ask(elicitation(1), '5');
    expect(questions.outgoing(withdrawal(1), '6')).toBeUndefined();
    expect(questions.outgoing(withdrawal('1'), '5')).toBeUndefined();
    expect(questions.outgoing(withdrawal({}), '5')).toBeUndefined();
    expect(questions.outgoing(frameOf({ method: 'notifications/cancelled' }).bytes, '5')).toBeUndefined();
    expect(questions.outgoing(withdrawal(1), '5')).toBeDefined();
  });

  it('is all that is kept back: other messages pass, also those that speak of it', () => {
    const { questions } = asking();
    for (const frame of [
      frameOf({
        method: 'notifications/message',
        params: { level: 'info', data: 'notifications/cancelled' },
      }),
      frameOf({ method: 'notifications/progress', params: { progressToken: 1, progress: 1 } }),
    ]) {
      expect(questions.outgoing(frame.bytes, '5')).toBe(frame.bytes);
      expect(outgoingUnasked(frame.bytes)).toBe(frame.bytes);
    }
    expect(outgoingUnasked(withdrawal(1))).toBeUndefined();
  });
});
