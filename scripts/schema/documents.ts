import { readFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';

import { configJsonSchema } from '../../src/config/json-schema.ts';
import { keyTables } from './key-tables.ts';

export const SCHEMA_FILE = 'config.schema.json';
export const REFERENCE_FILE = 'docs/reference/config.md';

const BEGIN = '<!-- keys: written by npm run schema -->';
const END = '<!-- end of keys -->';

/** The text of `config.schema.json`, formatted as the repository formats it. */
export async function schemaText(): Promise<string> {
  return formatted(JSON.stringify(configJsonSchema()), SCHEMA_FILE);
}

/** The reference page with its tables of keys brought up to date; the prose around them stays. */
export async function referenceText(): Promise<string> {
  const page = await readFile(REFERENCE_FILE, 'utf8');
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`${REFERENCE_FILE} must hold "${BEGIN}" and then "${END}"`);
  const tables = keyTables(configJsonSchema());
  return formatted(`${page.slice(0, begin)}${BEGIN}\n\n${tables}\n\n${page.slice(end)}`, REFERENCE_FILE);
}

async function formatted(text: string, file: string): Promise<string> {
  return format(text, { ...(await resolveConfig(file)), filepath: file });
}
