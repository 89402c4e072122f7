import { describe, expect, it } from 'vitest';
import { createSearchIndex } from '../../../src/search/index.ts';
import { verifies } from '../../requirements/search.ts';
import { keysFor, tool } from './tools.ts';

describe('an update', () => {
  it(verifies('search:update:only-changes'), () => {
    const index = createSearchIndex();
    const tools = Array.from({ length: 50 }, (_, at) => tool('server', `tool_${at}`, `Does task ${at}`));
    expect(index.update(tools)).toEqual({ analysed: 50, removed: 0, kept: 0 });
    expect(index.update(tools.map((one) => ({ ...one })))).toEqual({ analysed: 0, removed: 0, kept: 50 });
    const changed = [...tools.slice(2), tool('server', 'tool_1', 'Waters the flowers')];
    expect(index.update(changed)).toEqual({ analysed: 1, removed: 2, kept: 48 });
    expect(keysFor(index, 'flowers')).toEqual(['server__tool_1']);
    expect(keysFor(index, 'tool_0')).not.toContain('server__tool_0');
  });

  it('believes equal digests, and looks again when one differs', () => {
    const index = createSearchIndex();
    const version = (digest: string, description: string) => ({ ...tool('s', 'tell', description), digest });
    index.update([version('a', 'Tells the time')]);
    expect(index.update([version('a', 'Tells the time')]).analysed).toBe(0);
    expect(index.update([version('b', 'Tells a story')]).analysed).toBe(1);
    expect(keysFor(index, 'story')).toEqual(['s__tell']);
    expect(keysFor(index, 'time')).toEqual([]);
  });

  it('sees a schema that became another object, and a title that appeared', () => {
    const index = createSearchIndex();
    const before = tool('s', 'tell', 'Tells', { properties: { city: {} } });
    index.update([before]);
    index.update([{ ...before, inputSchema: { properties: { planet: {} } } }]);
    expect(keysFor(index, 'planet')).toEqual(['s__tell']);
    expect(keysFor(index, 'city')).toEqual([]);
    index.update([{ ...before, title: 'Horoscope' }]);
    expect(keysFor(index, 'horoscope')).toEqual(['s__tell']);
  });

  it('may empty the index and fill it again', () => {
    const index = createSearchIndex();
    index.update([tool('s', 'one', 'First thing')]);
    expect(index.update([])).toEqual({ analysed: 0, removed: 1, kept: 0 });
    expect(index.query({ queries: ['thing'], limit: 5 })).toEqual({ hits: [], servers: [], unanswered: [0] });
    index.update([tool('s', 'two', 'Second thing')]);
    expect(keysFor(index, 'thing')).toEqual(['s__two']);
  });

  it('takes names like those of object members', () => {
    const index = createSearchIndex();
    index.update([
      tool('constructor', '__proto__', 'Makes prototypes', { properties: JSON.parse('{"__proto__":{}}') }),
      tool('toString', 'hasOwnProperty', 'Owns property'),
    ]);
    expect(keysFor(index, 'toString hasOwnProperty')[0]).toBe('toString__hasOwnProperty');
    expect(keysFor(index, 'prototypes')).toEqual(['constructor____proto__']);
  });
});
