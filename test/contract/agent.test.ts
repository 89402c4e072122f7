import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { runTask } from '../../bench/agent/loop.ts';
import { startWorld } from '../../bench/agent/world.ts';
import { SERVERS, TASKS } from '../fixtures/definitions/services.ts';
import { startGateway } from '../helpers/gateway.ts';
import { askModern } from '../helpers/hosts.ts';
import { verifies } from '../requirements/exposure.ts';

type Fields = Readonly<Record<string, unknown>>;

describe('an agent that searches, calls and corrects itself', () => {
  it(verifies('exposure:agent:tasks'), async () => {
    await using world = await startWorld(SERVERS);
    await using started = await startGateway(world.servers, { exposure: { budget: 400 } });
    const ask = async (method: string, params: Fields): Promise<Fields> => {
      const { result, error } = await askModern(started.url, method, params);
      expect(error).toBeUndefined();
      return result ?? {};
    };
    const host = {
      list: async () => (await ask('tools/list', {}))['tools'] as readonly Fields[],
      call: (name: string, args: Fields) => ask('tools/call', { name, arguments: args }),
    };
    const { _meta } = await ask('tools/list', {});
    const exposure = (_meta as Record<string, Fields>)['dev.tollgate/exposure'];
    expect(exposure?.['mode']).toBe('search');
    const outcomes = [];
    for (const [at, task] of TASKS.entries())
      outcomes.push(await runTask(task, { host, count: countTokens, isHasty: at % 2 === 1 }));
    expect(outcomes.filter(({ isDone }) => !isDone).map(({ task }) => task.query)).toEqual([]);
    expect(world.served.filter((name) => TASKS.some(({ gold }) => gold.includes(name)))).toHaveLength(20);
    expect(outcomes.reduce((sum, { corrections }) => sum + corrections, 0)).toBeGreaterThan(5);
    const spent = outcomes.reduce((sum, { tokens }) => sum + tokens, 0);
    // Directly, a model is sent every definition each time it is asked, and is asked once for each call.
    const direct = TASKS.length * Number(exposure?.['visibleTokens']);
    expect(spent / direct).toBeLessThan(0.1);
  });
});
