import { z } from 'zod';

import { HOST_KEYS } from './host-entries.ts';
import { hostServerSchema, profileSchema, serverSchema } from './server-schema.ts';
import { settingsSchemas } from './settings-schema.ts';

/** A JSON Schema of the file, for editors. */
export interface JsonSchema {
  readonly [key: string]: unknown;
}

const DESCRIPTIONS = new Map([
  ['servers', 'The servers behind the gateway, by name. Their order is the order of every list.'],
  ['mcpServers', 'Servers as hosts write them; the block of a host can be pasted unchanged.'],
  ['profiles', 'Named views, each at /mcp/<name>; the one named default is at /mcp.'],
]);

const REFERENCE = { type: 'string', pattern: '\\$\\{', description: 'An environment reference: ${NAME}.' };

/** The schema that is published as `config.schema.json`: what the loader accepts, key by key, with descriptions. */
export function configJsonSchema(): JsonSchema {
  const settings = Object.entries(settingsSchemas).map(([key, schema]) => [key, definition(schema)] as const);
  const byName = (key: string, value: JsonSchema): JsonSchema => ({
    type: 'object',
    description: DESCRIPTIONS.get(key),
    additionalProperties: value,
  });
  const server = { $ref: '#/$defs/server' };
  const hostServer = { $ref: '#/$defs/hostServer' };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Tollgate configuration',
    description: 'gateway.config.yaml: the servers behind the gateway, and what hosts see of them.',
    type: 'object',
    additionalProperties: false,
    properties: {
      $schema: { type: 'string' },
      ...Object.fromEntries(settings),
      servers: byName('servers', { anyOf: [server, { ...hostServer, required: ['type'] }] }),
      mcpServers: byName('mcpServers', hostServer),
      profiles: byName('profiles', definition(profileSchema)),
      inputs: { type: 'array', description: 'No effect here: the prompts of VS Code.' },
    },
    $defs: {
      reference: REFERENCE,
      server: definition(serverSchema),
      hostServer: definition(hostServerSchema(HOST_KEYS)),
    },
  };
}

function definition(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => relax(jsonSchema),
  });
  return rest;
}

/**
 * What is no text may still come out of an environment reference; and an empty default of a section
 * tells a reader nothing. Only keys have a description: the inside of a value is left as it is.
 */
function relax(schema: z.core.JSONSchema.BaseSchema): void {
  if (isEmptySection(schema)) delete schema.default;
  const { description, default: byDefault, ...value } = schema;
  const isText = value.type === 'string' && value.enum === undefined;
  const isScalar = value.type === 'integer' || value.type === 'boolean' || value.enum !== undefined;
  if (description === undefined || isText || !isScalar) return;
  for (const key of Object.keys(schema)) Reflect.deleteProperty(schema, key);
  const anyOf = [value, { $ref: '#/$defs/reference' }];
  Object.assign(schema, { description, anyOf }, byDefault === undefined ? {} : { default: byDefault });
}

function isEmptySection({ default: byDefault }: z.core.JSONSchema.BaseSchema): boolean {
  return typeof byDefault === 'object' && byDefault !== null && Object.keys(byDefault).length === 0;
}
