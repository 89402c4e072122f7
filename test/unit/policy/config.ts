import type { FilterConfig, GatewayConfig, ProfileConfig, ServerConfig } from '../../../src/config/index.ts';
import { serverId } from '../../../src/domain/index.ts';

const EXPOSURE: ProfileConfig['exposure'] = {
  mode: 'direct',
  budgetTokens: 4000,
  pin: [],
  searchAnswerTokens: 1200,
  metaTools: { search: 'search_tools', call: 'call_tool' },
};

export interface ServerRule {
  readonly id: string;
  readonly enabled?: boolean;
  readonly tools?: FilterConfig;
  readonly prompts?: FilterConfig;
  readonly resources?: FilterConfig;
}

export interface ProfileRule {
  readonly name: string;
  readonly servers: readonly string[];
  readonly tools?: FilterConfig;
}

/** The part of a configuration that policy reads. */
export function policyConfig(
  servers: readonly ServerRule[],
  profiles: readonly ProfileRule[] = [],
): Pick<GatewayConfig, 'servers' | 'profiles'> {
  return {
    servers: servers.map(
      ({ id, enabled = true, tools = {}, prompts = {}, resources = {} }) =>
        ({
          id: serverId(id),
          enabled,
          tools,
          prompts,
          resources,
        }) satisfies Partial<ServerConfig> as ServerConfig,
    ),
    profiles: profiles.map(
      ({ name, servers: ids, tools = {} }) =>
        ({ name, servers: ids.map(serverId), tools, exposure: EXPOSURE }) satisfies ProfileConfig,
    ),
  };
}
