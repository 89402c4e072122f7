import { describe, expect, it } from 'vitest';
import type { LegacySession } from '../../../src/downstream/legacy-session.ts';
import { createSessionStore, type SessionStore } from '../../../src/downstream/session-store.ts';
import type { Hub, Subscriber } from '../../../src/routing/index.ts';
import { scanFrame } from '../../../src/wire/index.ts';
import { verifies } from '../../requirements/downstream.ts';
import { manualClock } from '../upstream/manual-clock.ts';
import { asResponse, FakeResponse } from './fake-response.ts';

const IDLE_MS = 60_000;

function storeOf(maxSessions = 3) {
  const clock = manualClock();
  const subscribers = new Set<Subscriber>();
  const ended: string[] = [];
  const hub = {
    add: (subscriber: Subscriber) => {
      subscribers.add(subscriber);
      return () => subscribers.delete(subscriber);
    },
  } as unknown as Hub;
  const store = createSessionStore({
    clock,
    hub,
    maxSessions,
    idleMs: IDLE_MS,
    onEnd: (id) => ended.push(id),
  });
  return { clock, store, subscribers, ended };
}

const create = (store: SessionStore): LegacySession => {
  const session = store.create({
    principal: { id: 'p', profile: 'default' },
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: undefined,
  });
  if (session === undefined) throw new Error('no room');
  return session;
};

describe('sessions', () => {
  it('have ids that cannot be guessed and are found by them alone', () => {
    const { store } = storeOf(100);
    const ids = Array.from({ length: 50 }, () => create(store).id);
    expect(new Set(ids).size).toBe(50);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-/);
    expect(store.get(ids[0] ?? '')?.id).toBe(ids[0]);
    for (const id of ['', '__proto__', 'toString', (ids[0] ?? '').toUpperCase()])
      expect(store.get(id)).toBeUndefined();
  });

  it('hear of changes until they end, and everything of them is let go', () => {
    const { store, subscribers, ended } = storeOf();
    const session = create(store);
    expect(subscribers.size).toBe(1);
    const cancelled: string[] = [];
    session.begin('1', { cancel: (reason) => cancelled.push(reason) });
    expect(store.end(session.id)).toBe(true);
    expect([subscribers.size, ended, cancelled, store.size]).toEqual([
      0,
      [session.id],
      ['The session ended'],
      0,
    ]);
    expect(store.end(session.id)).toBe(false);
    expect(ended).toHaveLength(1);
  });

  it(verifies('downstream:sessions:idle'), () => {
    const { store, clock, ended } = storeOf();
    const [quiet, lively] = [create(store), create(store)];
    for (let minute = 0; minute < 3; minute++) {
      clock.advance(IDLE_MS / 2);
      store.get(lively.id);
      store.sweep();
    }
    expect(ended).toEqual([quiet.id]);
    clock.advance(IDLE_MS + 1);
    store.sweep();
    expect(store.size).toBe(0);
  });

  it(verifies('downstream:sessions:busy'), () => {
    const { store, clock } = storeOf();
    const [calling, listening] = [create(store), create(store)];
    calling.begin('1', { cancel: () => undefined });
    const res = new FakeResponse();
    listening.openGetStream(asResponse(res));
    for (let count = 0; count < 40; count++) {
      clock.advance(IDLE_MS);
      store.sweep();
    }
    expect([store.get(calling.id)?.id, store.get(listening.id)?.id]).toEqual([calling.id, listening.id]);
    expect(res.text).toContain(': keep-alive');
    // Their idle time begins with the end of the work.
    calling.finish('1');
    res.close();
    store.sweep();
    clock.advance(IDLE_MS - 1);
    store.sweep();
    expect(store.size).toBe(2);
    clock.advance(2);
    store.sweep();
    expect(store.size).toBe(0);
  });

  it('make room for new ones by ending the one that was used longest ago', () => {
    const { store, clock, ended } = storeOf(3);
    const [a, b, c] = [create(store), create(store), create(store)];
    clock.advance(10);
    store.get(a.id);
    create(store);
    expect(ended).toEqual([b.id]);
    c.begin('1', { cancel: () => undefined });
    create(store);
    expect(ended).toEqual([b.id, a.id]);
    expect(store.get(c.id)).toBeDefined();
  });

  it('are refused when all that exist are at work', () => {
    const { store, ended } = storeOf(2);
    for (const session of [create(store), create(store)]) session.begin('1', { cancel: () => undefined });
    expect(() => create(store)).toThrow('no room');
    expect([store.size, ended]).toEqual([2, []]);
  });

  it('are not kept alive by a question that nobody answers', () => {
    const { store, clock } = storeOf();
    const session = store.create({
      principal: { id: 'p', profile: 'default' },
      protocolVersion: '2025-06-18',
      capabilities: { roots: {} },
      clientInfo: undefined,
    });
    const res = new FakeResponse();
    session?.openGetStream(asResponse(res));
    const question = scanFrame(Buffer.from('{"jsonrpc":"2.0","id":1,"method":"roots/list"}'));
    expect(session?.subscriber.session?.ask(question, () => undefined)).toBe(true);
    res.close();
    clock.advance(IDLE_MS + 1);
    store.sweep();
    expect(store.size).toBe(0);
  });

  it('all end with the gateway', () => {
    const { store, subscribers, ended } = storeOf();
    for (let count = 0; count < 3; count++) create(store);
    store.close();
    expect([store.size, subscribers.size, ended.length]).toEqual([0, 0, 3]);
  });
});
