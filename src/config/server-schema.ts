import { z } from 'zod';

import type { FilterConfig, RestartConfig, ServerConfig, TimeoutsConfig } from './gateway-config.ts';
import { type ExposureOverride, exposureOverride } from './exposure-schema.ts';
import { durationMs, globList } from './settings-schema.ts';

/** One entry of `servers` as it stands in the file, defaults filled in. */
export interface ServerEntry extends Pick<
  ServerConfig,
  | 'enabled'
  | 'era'
  | 'isolation'
  | 'tools'
  | 'prompts'
  | 'resources'
  | 'safeToRepeat'
  | 'timeouts'
  | 'maxConcurrency'
  | 'restart'
  | 'idleStopMs'
> {
  readonly command?: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly inheritEnv: readonly string[];
  readonly url?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly transport?: 'stdio' | 'http' | 'sse' | 'auto';
  readonly namespace?: string;
}

/** One entry of `profiles`. */
export interface ProfileEntry {
  readonly servers?: readonly string[];
  readonly tools: FilterConfig;
  readonly exposure: ExposureOverride;
}

const ENVIRONMENT_NAME = /^[^\s=]+$/;

// Numbers and booleans are taken as the text that stands in the file.
const scalarText = z.union([z.string(), z.number(), z.boolean()]).transform(String);

const filter = (what: string, matched: string): z.ZodType<FilterConfig> =>
  z
    .strictObject({
      allow: z.exactOptional(globList(`Globs of the ${matched} to let through; without it, all.`)),
      deny: z.exactOptional(globList(`Globs of the ${matched} to hold back; stronger than allow.`)),
    })
    .meta({
      description: `Which ${what} may be seen and used. What is held back answers exactly as what does not exist.`,
    });

const timeouts: z.ZodType<TimeoutsConfig> = z
  .strictObject({
    connectMs: durationMs(10_000, 'To start or reach the server, handshake included.'),
    // Below the patience of every known host, so that one slow server never costs a host its list.
    listMs: durationMs(5000, 'For all pages of one list.'),
    callIdleMs: durationMs(60_000, 'Of a call without an answer or a sign of progress.'),
    callMaxMs: durationMs(600_000, 'Of a call in all, progress or not; then the server is told to cancel.'),
  })
  .meta({ description: 'How long to wait for this server.' });

const restart: z.ZodType<RestartConfig> = z
  .strictObject({
    initialDelayMs: durationMs(500, 'Wait before the first new attempt; doubles with each further one.'),
    maxDelayMs: durationMs(60_000, 'Longest wait between attempts.'),
    stableMs: durationMs(60_000, 'A server that ran this long starts again at the first delay.'),
  })
  .meta({ description: 'How a server that failed is tried again.' });

const transportShape = {
  command: z.exactOptional(z.string().min(1)).meta({
    description: 'Program to start; the gateway speaks to it over standard input and output.',
  }),
  args: z.array(scalarText).default([]).meta({ description: 'Arguments of the command.' }),
  env: z
    .record(z.string().regex(ENVIRONMENT_NAME), scalarText)
    .default({})
    .meta({
      description:
        'Environment variables of the command, besides a small safe set (PATH, HOME, language and the like). ' +
        "Nothing else of the gateway's own environment is passed on.",
    }),
  inheritEnv: z
    .array(z.string().regex(ENVIRONMENT_NAME, 'must be the name of an environment variable'))
    .default([])
    .meta({
      description:
        "Names of the gateway's own variables to pass on too, such as HTTPS_PROXY or NODE_EXTRA_CA_CERTS.",
    }),
  cwd: z.exactOptional(z.string().min(1)).meta({
    description:
      "Folder to start the command in. The default is this file's folder; a relative path starts there.",
  }),
  url: z
    .exactOptional(z.string().min(1))
    .meta({ description: 'Endpoint of a server that is reached over HTTP.' }),
  headers: z.record(z.string(), scalarText).default({}).meta({
    description: "Headers of every request to this URL's origin; sent to no other.",
  }),
  transport: z.exactOptional(z.enum(['auto', 'http', 'sse', 'stdio'])).meta({
    description:
      'For a URL: http is Streamable HTTP, sse the HTTP+SSE transport of 2024-11-05, auto (the default) the first ' +
      'with the second as fallback. A command always uses stdio.',
  }),
};

const serverObject = z.strictObject({
  ...transportShape,
  namespace: z.exactOptional(z.string()).meta({
    description:
      'Prefix of the names of this server; its key when absent. Letters, digits, "-" and single "_". ' +
      'One server may have the empty namespace: its names stay as they are.',
  }),
  enabled: z.boolean().default(true).meta({ description: 'false keeps the entry but not the server.' }),
  era: z.enum(['auto', 'legacy', 'modern']).default('auto').meta({
    description: 'Protocol revisions to speak: legacy to 2025-11-25, modern from 2026-07-28; auto finds out.',
  }),
  isolation: z.enum(['shared', 'principal', 'session']).default('shared').meta({
    description: 'One process or connection for everybody, for each caller, or for each session of a host.',
  }),
  tools: filter('tools', "server's own tool names").prefault({}),
  prompts: filter('prompts', "server's own prompt names").prefault({}),
  resources: filter('resources', 'URIs and URI templates').prefault({}),
  safeToRepeat: globList(
    'Globs of tools that may be called again when it is uncertain whether a call arrived. No other call is repeated.',
  ).default([]),
  timeouts: timeouts.prefault({}),
  maxConcurrency: z.int().min(1).max(100_000).default(64).meta({
    description: 'Most calls in flight to this server; further ones wait.',
  }),
  restart: restart.prefault({}),
  idleStopMs: durationMs(
    0,
    'Stop an unused server after this; it starts again when needed. 0 never stops it.',
    0,
  ),
});

export const serverSchema: z.ZodType<ServerEntry> = serverObject.meta({
  description: 'A server behind the gateway: a command, or a url.',
});

export const profileSchema: z.ZodType<ProfileEntry> = z
  .strictObject({
    servers: z
      .exactOptional(z.array(z.string()))
      .meta({ description: 'Keys of the servers in it; without it, all.' }),
    tools: filter('tools', 'qualified tool names (namespace__tool)').prefault({}),
    exposure: exposureOverride.prefault({}),
  })
  .meta({ description: 'A view of the servers, at /mcp/<name>; the one named default is at /mcp.' });

/** The keys of an entry of `servers`, for suggestions. */
export const SERVER_KEYS: readonly string[] = Object.keys(serverObject.shape);

/** The same entry with the keys that only hosts write; for editors, which validate the file as it stands. */
export function hostServerSchema(hostKeys: ReadonlyMap<string, string>): z.ZodType<unknown> {
  const extra = [...hostKeys].map(([key, description]) => [
    key,
    z.unknown().optional().meta({ description }),
  ]);
  // In a host's block a list of tool names is as good as a filter.
  const tools = z
    .union([serverObject.shape.tools, z.array(z.string())])
    .optional()
    .meta({
      description: "A filter of the server's tools, or the names of those to let through.",
    });
  return serverObject.extend({ ...Object.fromEntries(extra), tools }).meta({
    description: 'A server as the configuration of a host writes it.',
  });
}
