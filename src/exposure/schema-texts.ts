import type { CatalogEntry } from '../catalog/index.ts';
import { compactForm } from './compact.ts';

type Fields = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The input schema of a tool for a model that has to call it again, the fullest text first. */
export function schemaTexts({ json, value }: CatalogEntry): string[] {
  const compact = (JSON.parse(compactForm(json)) as Fields)['inputSchema'];
  return [
    `inputSchema: ${JSON.stringify(value['inputSchema'])}`,
    `inputSchema: ${JSON.stringify(compact)}`,
    `inputSchema without what is optional: ${JSON.stringify(requiredPart(compact))}`,
  ];
}

/** What a call cannot do without. */
function requiredPart(schema: unknown): unknown {
  if (!isRecord(schema) || !isRecord(schema['properties'])) return schema;
  const required: unknown = schema['required'];
  const names = new Set<unknown>(Array.isArray(required) ? required : []);
  const properties = Object.entries(schema['properties']).filter(([name]) => names.has(name));
  return { ...schema, properties: Object.fromEntries(properties) };
}
