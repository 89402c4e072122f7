import { z } from 'zod';

import { type ExposureConfig, type MetaToolNames, NO_BUDGET } from './gateway-config.ts';

/** The exposure block as it stands in the file, defaults filled in. */
export interface ExposureEntry extends Omit<ExposureConfig, 'budgetTokens'> {
  readonly budget: number;
}

/** What a profile may say differently. */
export type ExposureOverride = Partial<Omit<ExposureEntry, 'metaTools'>>;

const shape = {
  mode: z.enum(['auto', 'direct', 'search']),
  budget: z.int().min(0).max(NO_BUDGET),
  pin: z.array(z.string().min(1)),
  searchAnswerTokens: z.int().min(200).max(100_000),
};

const text = {
  mode: {
    description:
      'direct lists every visible tool; search lists two meta-tools and the pinned tools; auto chooses by budget.',
  },
  budget: {
    description:
      'Most tokens of tool definitions to send to a host. By default there is no bound worth the name.',
  },
  pin: { description: 'Qualified names (namespace__tool) of tools to list in every mode.' },
  searchAnswerTokens: { description: 'Most tokens of one answer of the search meta-tool.' },
};

/** What model APIs accept as the name of a tool. Two underscores are left to qualified names. */
const isMetaToolName = (name: string): boolean => /^[A-Za-z0-9_-]{1,64}$/.test(name) && !name.includes('__');

const metaToolName = (byDefault: string, description: string): z.ZodType<string> =>
  z
    .string()
    .refine(isMetaToolName, {
      error: 'not a name for a meta-tool',
      params: { fix: 'use up to 64 letters, digits, "-" and "_", without two underscores in a row' },
    })
    .default(byDefault)
    .meta({ description });

const metaTools: z.ZodType<MetaToolNames> = z
  .strictObject({
    search: metaToolName('search_tools', 'Name of the meta-tool that finds tools.'),
    call: metaToolName('call_tool', 'Name of the meta-tool that calls a tool which is not listed.'),
  })
  .refine(({ search, call }) => search !== call, { error: 'the two meta-tools need different names' })
  .meta({ description: "Names of the gateway's own tools, for a host that has tools of these names." });

// An answer of a search of this size holds the full schemas of the few best hits.
export const exposure: z.ZodType<ExposureEntry> = z
  .strictObject({
    mode: shape.mode.default('auto').meta(text.mode),
    budget: shape.budget.default(NO_BUDGET).meta(text.budget),
    pin: shape.pin.default([]).meta(text.pin),
    searchAnswerTokens: shape.searchAnswerTokens.default(1200).meta(text.searchAnswerTokens),
    metaTools: metaTools.prefault({}),
  })
  .meta({ description: 'Which of the visible tools a host is sent.' });

export const exposureOverride: z.ZodType<ExposureOverride> = z
  .strictObject({
    mode: z.exactOptional(shape.mode).meta(text.mode),
    budget: z.exactOptional(shape.budget).meta(text.budget),
    pin: z.exactOptional(shape.pin).meta(text.pin),
    searchAnswerTokens: z.exactOptional(shape.searchAnswerTokens).meta(text.searchAnswerTokens),
  })
  .meta({ description: 'Differences from the exposure that holds for everybody.' });
