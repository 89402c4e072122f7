import type { Snapshot } from '../catalog/index.ts';
import type { Era, Principal } from '../domain/index.ts';
import type { Policy } from '../policy/index.ts';

type Fields = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * What the gateway offers a host: the union over the servers that there are for the principal. List changes are
 * always offered, because a server that starts late changes every list. Before any server has answered,
 * everything is offered: an empty list costs a host nothing, an undeclared capability hides tools for good.
 */
export function mergedCapabilities(
  policy: Policy,
  principal: Principal,
  snapshot: Snapshot,
  era: Era,
): Fields {
  const servers = policy.reachable(principal, snapshot);
  const isPending = servers.some((server) => !server.isListed && server.trouble === undefined);
  const isKnown = (name: string): boolean => servers.some((server) => isRecord(server.capabilities[name]));
  const has = (name: string): boolean => isPending || isKnown(name);
  const canWatch = servers.some((server) => {
    const resources = server.capabilities['resources'];
    return isRecord(resources) && resources['subscribe'] === true;
  });
  // A stateless host asks for log messages with each request and needs no promise of them.
  const hasLogging = era === 'modern' ? isKnown('logging') : has('logging');
  return {
    tools: { listChanged: true },
    ...(has('prompts') ? { prompts: { listChanged: true } } : {}),
    ...(has('resources')
      ? { resources: { listChanged: true, ...(canWatch || isPending ? { subscribe: true } : {}) } }
      : {}),
    ...(has('completions') ? { completions: {} } : {}),
    ...(hasLogging ? { logging: {} } : {}),
  };
}
