import { z } from 'zod';

import { accounting } from './accounting-schema.ts';
import { exposure, type ExposureEntry } from './exposure-schema.ts';
import type { AccountingConfig, LimitsConfig, ListenConfig, LogConfig } from './gateway-config.ts';
import { isHostWithPort, isOrigin } from './web-names.ts';

// A timer of Node's counts in a signed 32-bit integer; more would fire at once.
const MAX_TIMER_MS = 2_147_483_647;

const MIB = 1_048_576;

export const durationMs = (defaultMs: number, description: string, minimumMs = 1): z.ZodType<number> =>
  z.int().min(minimumMs).max(MAX_TIMER_MS).default(defaultMs).meta({ description });

export const globList = (description: string): z.ZodArray<z.ZodString> =>
  z.array(z.string().min(1)).meta({ description });

/** Settings as they stand in the file, defaults filled in. */
export interface Settings {
  readonly listen: Omit<ListenConfig, 'path'>;
  readonly names: { readonly maxLength: number };
  readonly stateDir: string;
  readonly log: LogConfig;
  readonly limits: LimitsConfig;
  readonly exposure: ExposureEntry;
  readonly accounting: AccountingConfig;
}

const listen: z.ZodType<Settings['listen']> = z
  .strictObject({
    host: z.string().min(1).default('127.0.0.1').meta({
      description: 'Address to listen on. The default is reached from this machine only.',
    }),
    port: z
      .int()
      .min(0)
      .max(65_535)
      .default(8808)
      .meta({ description: 'Port to listen on; 0 takes a free one.' }),
    allowedHosts: z
      .array(
        z.string().refine(isHostWithPort, {
          error: 'must be a host name, with a port where one is used',
          params: { fix: 'write gateway.example.com or gateway.example.com:8443' },
        }),
      )
      .default([])
      .meta({
        description:
          'Values of the Host header to accept besides loop-back names and the listening address, such as the ' +
          'name that a reverse proxy answers to. Others are refused, which stops DNS rebinding.',
      }),
    allowedOrigins: z
      .array(
        z.string().refine(isOrigin, {
          error: 'must be an origin',
          params: { fix: 'write scheme://host or scheme://host:port, without a path' },
        }),
      )
      .default([])
      .meta({
        description: 'Web origins to accept besides loop-back ones. Requests without an Origin are accepted.',
      }),
  })
  .meta({ description: 'Where the gateway listens over HTTP. The endpoint is always /mcp.' });

const names: z.ZodType<Settings['names']> = z
  .strictObject({
    maxLength: z
      .int()
      .min(32)
      .max(128)
      .default(48)
      .meta({
        description:
          'Longest name of a tool or prompt as hosts see it. Hosts add a prefix of their own, and model APIs stop ' +
          'at 64; longer names are cut and get a short hash.',
      }),
  })
  .meta({
    description: 'How the names of tools and prompts are formed: namespace, two underscores, native name.',
  });

const log: z.ZodType<Settings['log']> = z
  .strictObject({
    level: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info').meta({
      description: 'Least severe message to write. One line a request is written at info.',
    }),
    format: z.enum(['auto', 'json', 'pretty']).default('auto').meta({
      description:
        'pretty is for people, json for machines; auto is pretty on a terminal and json elsewhere.',
    }),
  })
  .meta({ description: 'The log, on standard error. Secrets are masked.' });

const limits: z.ZodType<Settings['limits']> = z
  .strictObject({
    // Images travel as base64 in JSON; 32 MiB holds a 24 MB file, and bounds what one caller can make us hold.
    requestBodyBytes: z
      .int()
      .min(1024)
      .max(1024 * MIB)
      .default(32 * MIB)
      .meta({
        description: 'Largest body of a request from a host. Larger ones are refused with 413.',
      }),
    messageBytes: z
      .int()
      .min(1024)
      .max(1024 * MIB)
      .default(64 * MIB)
      .meta({
        description: 'Largest single message from a server. A larger one fails its own call only.',
      }),
    // About 2,000 tokens, which every conversation pays for.
    instructionsBytes: z.int().min(0).max(MIB).default(8192).meta({
      description: 'Largest text of merged server instructions sent to a host; 0 sends none.',
    }),
    maxSessions: z.int().min(1).max(1_000_000).default(10_000).meta({
      description: 'Sessions of hosts that speak revisions before 2026-07-28, at most; the idlest gives way.',
    }),
    sessionIdleMs: durationMs(
      1_800_000,
      'A session without requests, calls in flight or open stream ends after this.',
    ),
  })
  .meta({ description: 'Bounds that keep one caller or server from harming the others.' });

const stateDir = z.string().min(1).default('.tollgate').meta({
  description: "Folder for what is remembered between runs. A relative path starts at this file's folder.",
});

/** One schema a top-level key, so that a fault in one hides none in another. */
export const settingsSchemas: { readonly [Key in keyof Settings]: z.ZodType<Settings[Key]> } = {
  listen: listen.prefault({}),
  names: names.prefault({}),
  stateDir,
  log: log.prefault({}),
  limits: limits.prefault({}),
  exposure: exposure.prefault({}),
  accounting: accounting.prefault({}),
};
