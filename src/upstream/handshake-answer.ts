type Json = Record<string, unknown>;
const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A null stands for an absent member wherever a handshake has optional ones. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isRecord(value)) return value;
  const out: Json = {};
  for (const [key, member] of Object.entries(value)) {
    // `__proto__` would be an assignment to the prototype instead of a member.
    if (member !== null && key !== '__proto__') out[key] = withoutNulls(member);
  }
  return out;
}

/**
 * The result of a handshake, with what real servers leave out or write as null filled in. Neither a
 * name nor a capability is worth losing a whole server for.
 */
export function tolerantResult(method: string, result: unknown): unknown {
  if (!isRecord(result)) return result;
  const clean = withoutNulls(result) as Json;
  if (!isRecord(clean['capabilities'])) clean['capabilities'] = {};
  if (typeof clean['instructions'] !== 'string') delete clean['instructions'];
  if (method === 'initialize') clean['serverInfo'] = named(clean['serverInfo']);
  return clean;
}

function named(info: unknown): Json {
  const known = isRecord(info) ? info : {};
  const text = (value: unknown): string =>
    typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
  return { ...known, name: text(known['name']), version: text(known['version']) };
}
