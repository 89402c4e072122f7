import { isFields, type Answer, type Ask, type Fields } from './ask.ts';

/** The member of each list result, and what identifies an entry in it. */
export const lists = {
  'tools/list': { member: 'tools', identity: 'name' },
  'prompts/list': { member: 'prompts', identity: 'name' },
  'resources/list': { member: 'resources', identity: 'uri' },
  'resources/templates/list': { member: 'resourceTemplates', identity: 'uriTemplate' },
} as const;

export type ListMethod = keyof typeof lists;

export const isList = (method: Ask['method']): method is ListMethod => Object.hasOwn(lists, method);

export function entriesIn(method: ListMethod, answer: Answer): Fields[] {
  if (!('result' in answer)) throw new Error(`${method} failed: ${JSON.stringify(answer.error)}`);
  const entries = answer.result[lists[method].member];
  if (!Array.isArray(entries)) throw new Error(`${method} has no list: ${JSON.stringify(answer.result)}`);
  return entries as Fields[];
}

/** The same request as it is made through the gateway: only names get the prefix. */
export function throughGateway(ask: Ask, namespace: string): Ask {
  const { method, params } = ask;
  if (params === undefined) return ask;
  if (method === 'tools/call' || method === 'prompts/get') {
    return { method, params: { ...params, name: `${namespace}__${String(params['name'])}` } };
  }
  const ref = params['ref'];
  if (method === 'completion/complete' && isFields(ref) && ref['type'] === 'ref/prompt') {
    return { method, params: { ...params, ref: { ...ref, name: `${namespace}__${String(ref['name'])}` } } };
  }
  return ask;
}

/** What one server contributed to a list of the gateway, under the names that it gave itself. */
export function shareOf(namespace: string, method: ListMethod, whole: Answer, direct: Answer): Answer {
  const { member, identity } = lists[method];
  const prefix = `${namespace}__`;
  const own = new Set(entriesIn(method, direct).map((entry) => entry[identity]));
  const isNamed = identity === 'name';
  const mine = entriesIn(method, whole).filter((entry) =>
    isNamed ? String(entry[identity]).startsWith(prefix) : own.has(entry[identity]),
  );
  const share = mine.map((entry) =>
    isNamed ? { ...entry, [identity]: String(entry[identity]).slice(prefix.length) } : entry,
  );
  return { result: { ...('result' in whole ? whole.result : {}), [member]: share } };
}

/**
 * A list without the members of tools that only the handshake revisions define: a client that reads the modern
 * revision drops them, though they were sent. The census compares them as they travel.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks
 */
export function withoutLegacyMembers(method: ListMethod, answer: Answer): Answer {
  if (method !== 'tools/list' || !('result' in answer)) return answer;
  const tools = entriesIn(method, answer).map(({ execution: _execution, ...tool }) => tool);
  return { result: { ...answer.result, tools } };
}

/** Members of a result that speak of the hop and not of the answer. */
const hop = new Set(['resultType', 'ttlMs', 'cacheScope']);

/**
 * An answer without the spans that may differ: who served it, what the gateway adds under its own prefix, and, where
 * two eras meet or the gateway composes a list, the members that exist in one era only or are the gateway's to say.
 */
export function comparable(answer: Answer, { dropHop }: { readonly dropHop: boolean }): Answer {
  if (!('result' in answer)) return answer;
  const kept = Object.entries(answer.result).flatMap(([key, value]): [string, unknown][] => {
    if (dropHop && hop.has(key)) return [];
    if (key !== '_meta' || !isFields(value)) return [[key, value]];
    const meta = Object.entries(value).filter(
      ([name]) => name !== 'io.modelcontextprotocol/serverInfo' && !name.startsWith('dev.tollgate/'),
    );
    return meta.length === 0 ? [] : [[key, Object.fromEntries(meta)]];
  });
  return { result: Object.fromEntries(kept) };
}
