import { escaped } from './exposition.ts';

/** Tokens of a list that was sent. */
export interface ListTokens {
  /** Of all tool definitions in it, those of meta-tools included. */
  readonly definitionTokens?: number;
  readonly metaToolTokens?: number;
  /** Of the full definitions of all visible tools. */
  readonly visibleTokens?: number;
}

/** Counts of tokens, by profile. */
export interface TokenMetrics {
  list(profile: string, tokens: ListTokens): void;
  searchAnswer(profile: string, tokens: number): void;
  /** In the text format that Prometheus reads, profiles in the order they first appeared. */
  render(): string;
}

interface Sums {
  definitions: number;
  metaTools: number;
  avoided: number;
  searchAnswers: number;
}

const FAMILIES: readonly (readonly [name: string, help: string, sum: keyof Sums])[] = [
  ['tollgate_definition_tokens_total', 'Tokens of tool definitions that were sent.', 'definitions'],
  ['tollgate_meta_tool_tokens_total', 'Tokens of the definitions of meta-tools among them.', 'metaTools'],
  [
    'tollgate_definition_tokens_avoided_total',
    'Tokens of the full definitions of visible tools, less the definitions of tools that were sent.',
    'avoided',
  ],
  ['tollgate_search_answer_tokens_total', 'Tokens of answers of searches.', 'searchAnswers'],
];

export interface TokenMetricsOptions {
  /** What counted; it stands beside every figure. */
  readonly tokenizer: string;
  /** Without it there is no figure for answers, because a zero would say that they cost nothing. */
  readonly countsSearchAnswers: boolean;
}

export function createTokenMetrics({ tokenizer, countsSearchAnswers }: TokenMetricsOptions): TokenMetrics {
  // Profiles are those of the configuration, so there is an end of them.
  const sumsOf = new Map<string, Sums>();
  const sums = (profile: string): Sums => {
    const known = sumsOf.get(profile) ?? { definitions: 0, metaTools: 0, avoided: 0, searchAnswers: 0 };
    sumsOf.set(profile, known);
    return known;
  };
  return {
    list: (profile, { definitionTokens = 0, metaToolTokens = 0, visibleTokens = 0 }) => {
      const of = sums(profile);
      of.definitions += definitionTokens;
      of.metaTools += metaToolTokens;
      of.avoided += visibleTokens - (definitionTokens - metaToolTokens);
    },
    searchAnswer: (profile, tokens) => {
      sums(profile).searchAnswers += tokens;
    },
    render: () =>
      FAMILIES.filter(([, , sum]) => sum !== 'searchAnswers' || countsSearchAnswers)
        .map(([name, help, sum]) => {
          const lines = [...sumsOf].map(([profile, of]) => {
            const labels = `profile="${escaped(profile)}",tokenizer="${escaped(tokenizer)}"`;
            return `${name}{${labels}} ${of[sum]}`;
          });
          return [`# HELP ${name} ${help}`, `# TYPE ${name} counter`, ...lines, ''].join('\n');
        })
        .join(''),
  };
}
