/** The parts of a JSON Schema that the tables show. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

const SECTIONS = ['listen', 'names', 'log', 'limits', 'exposure', 'accounting'];

/** One table a section of the file, in Markdown. */
export function keyTables(root: Schema): string {
  const top = root.properties ?? {};
  const server = root.$defs?.['server'] ?? {};
  const profile = top['profiles']?.additionalProperties as Schema;
  return [
    table('Top level', 'Keys of the file itself.', rows(top, '', 0)),
    table('servers.&lt;name&gt;', server.description, rows(server.properties ?? {}, '', 2)),
    ...SECTIONS.map((name) => table(name, top[name]?.description, rows(top[name]?.properties ?? {}, '', 2))),
    table('profiles.&lt;name&gt;', profile.description, rows(profile.properties ?? {}, '', 2)),
    ['### Keys of hosts', HOST_TEXT, hostTable(root, server)].join('\n\n'),
  ].join('\n\n');
}

const HOST_TEXT =
  'What an entry of `mcpServers`, or an entry of `servers` with a `type`, may hold besides the keys of a server.';

/** Keys of the same meaning share a row. */
function hostTable(root: Schema, server: Schema): string {
  const byMeaning = new Map<string, string[]>();
  for (const [key, { description = '' }] of Object.entries(root.$defs?.['hostServer']?.properties ?? {})) {
    if (server.properties?.[key] !== undefined) continue;
    byMeaning.set(description, [...(byMeaning.get(description) ?? []), `\`${key}\``]);
  }
  const lines = [...byMeaning].map(([meaning, keys]) => `| ${keys.join(', ')} | ${cell(meaning)} |`);
  return ['| keys | meaning |', '| --- | --- |', ...lines].join('\n');
}

function table(title: string, text: string | undefined, lines: readonly string[]): string {
  const head = ['| key | value | default | meaning |', '| --- | --- | --- | --- |'];
  return [`### ${title}`, '', cell(text), '', ...head, ...lines].join('\n');
}

/** A row a key; keys of nested objects follow theirs, dotted, down to `depth` levels. */
function rows(
  properties: Readonly<Record<string, Schema>>,
  prefix: string,
  depth: number,
): readonly string[] {
  return Object.entries(properties).flatMap(([key, schema]) => {
    const name = `${prefix}${key}`;
    const inner = depth > 1 ? rows(schema.properties ?? {}, `${name}.`, depth - 1) : [];
    return [
      `| \`${name}\` | ${cell(valueText(schema))} | ${defaultText(schema)} | ${cell(schema.description)} |`,
      ...inner,
    ];
  });
}

const cell = (text: string | undefined): string =>
  (text ?? '').replaceAll('|', '\\|').replaceAll('<', '&lt;');

function defaultText({ default: byDefault }: Schema): string {
  return byDefault === undefined ? '' : `\`${JSON.stringify(byDefault)}\``;
}

function valueText(schema: Schema): string {
  const own = schema.anyOf?.filter((one) => one.$ref === undefined);
  if (own !== undefined) return [...new Set(own.map(valueText))].join(' or ');
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${String(value)}\``).join(', ');
  const { type, items, minimum, maximum } = schema;
  if (Array.isArray(type)) return 'text';
  if (type === 'array') return items === undefined ? 'list' : `list of ${valueText(items)}`;
  if (type === 'integer') return `whole number, ${rangeText(minimum, maximum)}`;
  return NAMES.get(String(type)) ?? 'anything';
}

const NAMES = new Map([
  ['string', 'text'],
  ['boolean', '`true`, `false`'],
  ['object', 'mapping'],
]);

function rangeText(minimum = 0, maximum = Infinity): string {
  return `${minimum.toLocaleString('en')} to ${maximum.toLocaleString('en')}`;
}
