import { serveThread } from '../state/index.ts';
import { countedText } from './counted-text.ts';
import { loadTokenizer, type Tokenizer } from './tokenizer.ts';
import type { TokenizerName } from './tokenizer-names.ts';

/** `definition` is the JSON of a tool as listed, of which a model is handed a part; `text` counts as it is. */
export type CountedForm = 'text' | 'definition';

export interface CountRequest {
  readonly tokenizer: TokenizerName;
  readonly form: CountedForm;
  readonly texts: readonly (string | Uint8Array)[];
}

let loading: Promise<Tokenizer> | undefined;

serveThread(async (body) => {
  const { tokenizer, form, texts } = body as CountRequest;
  loading ??= loadTokenizer(tokenizer);
  const { count } = await loading;
  return texts.map((given) => {
    const text = typeof given === 'string' ? given : Buffer.from(given).toString('utf8');
    return count(form === 'definition' ? countedText(text) : text);
  });
});
