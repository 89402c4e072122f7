import type { Snapshot } from '../catalog/index.ts';
import type { Era, Principal } from '../domain/index.ts';
import type { Policy } from '../policy/index.ts';

type Fields = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * What the gateway offers a host: the union over the servers that the principal may use. List changes are
 * always offered, because a server that starts late changes every list. Before any server has answered,
 * everything is offered: an empty list costs a host nothing, an undeclared capability hides tools for good.
 */
export function mergedCapabilities(
  policy: Policy,
  principal: Principal,
  snapshot: Snapshot,
  era: Era,
): Fields {
  const usable = snapshot.servers.filter((server) => policy.mayUse(principal, server.id));
  const isPending = usable.some((server) => !server.isListed && server.trouble === undefined);
  const has = (name: string): boolean =>
    isPending || usable.some((server) => isRecord(server.capabilities[name]));
  const canWatch = usable.some((server) => {
    const resources = server.capabilities['resources'];
    return isRecord(resources) && resources['subscribe'] === true;
  });
  return {
    tools: { listChanged: true },
    ...(has('prompts') ? { prompts: { listChanged: true } } : {}),
    ...(has('resources')
      ? { resources: { listChanged: true, ...(canWatch || isPending ? { subscribe: true } : {}) } }
      : {}),
    ...(has('completions') ? { completions: {} } : {}),
    ...(has('logging') &&
    (era === 'legacy' || usable.some((server) => isRecord(server.capabilities['logging'])))
      ? { logging: {} }
      : {}),
  };
}
