import { randomUUID } from 'node:crypto';
import type { Clock } from '../domain/index.ts';
import type { Hub } from '../routing/index.ts';
import { createLegacySession, type LegacyHandshake, type LegacySession } from './legacy-session.ts';

export interface SessionStoreDeps {
  readonly clock: Clock;
  readonly hub: Hub;
  readonly maxSessions: number;
  /** A session without work or stream ends after this long. */
  readonly idleMs: number;
  /** Lets go of what upstreams hold for a session that ended. */
  readonly onEnd: (sessionId: string) => void;
}

export interface SessionStore {
  /** Undefined when there is no room and every session is at work. */
  create(handshake: LegacyHandshake): LegacySession | undefined;
  /** The live session of an id; counts as a sign of life. */
  get(id: string): LegacySession | undefined;
  end(id: string): boolean;
  /** Ends what has been idle too long and shows the rest a sign of life; called by one coarse timer. */
  sweep(): void;
  close(): void;
  readonly size: number;
}

interface Held {
  readonly session: LegacySession;
  readonly leave: () => void;
  lastSeen: number;
}

/** Sessions of handshake hosts, bounded in number and age. A session at work is never ended for room or age. */
export function createSessionStore(deps: SessionStoreDeps): SessionStore {
  const sessions = new Map<string, Held>();

  const end = (id: string): boolean => {
    const held = sessions.get(id);
    if (held === undefined) return false;
    sessions.delete(id);
    held.leave();
    held.session.close();
    deps.onEnd(id);
    return true;
  };

  /** The map is ordered by last use, so the first idle one is the least recently used. */
  const makeRoom = (): boolean => {
    if (sessions.size < deps.maxSessions) return true;
    for (const [id, held] of sessions) {
      if (held.session.isBusy()) continue;
      return end(id);
    }
    return false;
  };

  return {
    get size() {
      return sessions.size;
    },
    create: (handshake) => {
      if (!makeRoom()) return undefined;
      const session = createLegacySession(randomUUID(), handshake);
      sessions.set(session.id, {
        session,
        leave: deps.hub.add(session.subscriber),
        lastSeen: deps.clock.now(),
      });
      return session;
    },
    get: (id) => {
      const held = sessions.get(id);
      if (held === undefined) return undefined;
      held.lastSeen = deps.clock.now();
      sessions.delete(id);
      sessions.set(id, held);
      return held.session;
    },
    end,
    sweep: () => {
      const oldest = deps.clock.now() - deps.idleMs;
      for (const [id, held] of sessions) {
        if (held.session.isBusy()) {
          held.lastSeen = deps.clock.now();
          held.session.keepAlive();
        } else if (held.lastSeen < oldest) end(id);
      }
    },
    close: () => {
      for (const id of [...sessions.keys()]) end(id);
    },
  };
}
