import { z } from 'zod';

import { type AccountingConfig, TOKENIZERS } from './gateway-config.ts';

const ledger: z.ZodType<AccountingConfig['ledger']> = z
  .strictObject({
    enabled: z.boolean().default(true).meta({
      description: 'Keep one row a request in stateDir: who asked what of which tool, sizes and counts.',
    }),
    // A quarter, which is as far as a report usually looks back.
    maxDays: z.int().min(1).max(3650).default(90).meta({ description: 'Days after which rows are deleted.' }),
    // About a million requests.
    maxBytes: z.int().min(1_000_000).max(1_000_000_000_000).default(200_000_000).meta({
      description: 'Size of the state file beyond which the oldest rows are deleted.',
    }),
  })
  .meta({ description: 'The record of requests. Arguments and results are never in it.' });

export const accounting: z.ZodType<AccountingConfig> = z
  .strictObject({
    tokenizer: z.enum(TOKENIZERS).default('o200k_base').meta({
      description: 'Tokenizer that budgets and figures are counted with.',
    }),
    ledger: ledger.prefault({}),
    countResults: z.boolean().default(false).meta({
      description: 'Also count the tokens of the results of tools. The texts are counted and let go of.',
    }),
  })
  .meta({ description: 'How tokens are counted, and what is recorded of requests.' });
