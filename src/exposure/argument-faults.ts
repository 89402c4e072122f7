type Fields = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const TYPES: ReadonlySet<unknown> = new Set([
  'string',
  'number',
  'integer',
  'boolean',
  'array',
  'object',
  'null',
]);

/** Faults told at once; a model needs no more to see what it got wrong. */
const MAX_FAULTS = 8;

/**
 * What of a call's arguments an input schema certainly refuses, looking at the top level alone: what is missing,
 * of another type, or not known. Never stricter than the schema: what it says in any other way is for the server.
 */
export function argumentFaults(schema: unknown, args: Fields): string[] {
  // Beside a reference, some revisions of JSON Schema let nothing else count.
  if (!isRecord(schema) || '$ref' in schema) return [];
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  return [...missing(schema, args), ...unfit(properties, args), ...unknown(schema, properties, args)].slice(
    0,
    MAX_FAULTS,
  );
}

function missing(schema: Fields, args: Fields): string[] {
  const required = Array.isArray(schema['required']) ? (schema['required'] as readonly unknown[]) : [];
  return required
    .filter((name) => typeof name === 'string')
    .filter((name) => !Object.hasOwn(args, name))
    .map((name) => `${JSON.stringify(name)} is missing`);
}

function unfit(properties: Fields, args: Fields): string[] {
  return Object.keys(args).flatMap((name) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!isRecord(property) || '$ref' in property) return [];
    const types = [property['type']].flat();
    if (!types.every((type) => TYPES.has(type)) || types.length === 0) return [];
    const value = args[name];
    if (value === null && property['nullable'] === true) return [];
    return types.some((type) => isOfType(value, type))
      ? []
      : [`${JSON.stringify(name)} must be ${types.join(' or ')}`];
  });
}

function unknown(schema: Fields, properties: Fields, args: Fields): string[] {
  if (schema['additionalProperties'] !== false || schema['patternProperties'] !== undefined) return [];
  return Object.keys(args)
    .filter((name) => !Object.hasOwn(properties, name))
    .map((name) => `${JSON.stringify(name)} is not known`);
}

function isOfType(value: unknown, type: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isRecord(value);
    case 'integer':
      // A number beyond the range of this program's is one of the host's all the same.
      return typeof value === 'number' && (Number.isInteger(value) || !Number.isFinite(value));
    default:
      return typeof value === type;
  }
}
