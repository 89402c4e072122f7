import type { VariableUse } from './expander.ts';
import type { HttpTransportConfig, ServerConfig, StdioTransportConfig } from './gateway-config.ts';
import type { Environment } from './references.ts';
import { parseUrl } from './web-names.ts';

const SENSITIVE = /auth|bearer|cookie|credential|key|pass|pin$|private|pwd|secret|session|signature|token/i;

// Of a person or machine, not of an account; hiding them would blacken every path in a log.
const EVERYDAY = new Set(
  'HOME USER LOGNAME USERNAME USERPROFILE HOSTNAME PATH PWD SHELL LANG TERM TZ TMPDIR TMP TEMP APPDATA'.split(
    ' ',
  ),
);

// Shorter texts stand in many words by chance; masking those would hide nothing and garble much.
const MIN_NAMED_LENGTH = 4;
const MIN_UNNAMED_LENGTH = 6;

/** Values that no log may show: what references brought in, and what stands under a telling name. */
export function collectSecrets(
  uses: readonly VariableUse[],
  servers: readonly ServerConfig[],
  env: Environment,
): readonly string[] {
  const found = [
    ...uses.flatMap(fromUse),
    ...servers.flatMap(({ transport }) =>
      transport.kind === 'stdio' ? fromStdio(transport, env) : fromHttp(transport),
    ),
  ];
  const isTelling = ({ value, isNamed }: Candidate): boolean =>
    value.length >= (isNamed ? MIN_NAMED_LENGTH : MIN_UNNAMED_LENGTH) &&
    !/^(?:true|false|null|none)$/i.test(value);
  return [...new Set(found.filter(isTelling).map(({ value }) => value))];
}

/** A value that may be a secret; named ones stand under a name that says so. */
interface Candidate {
  readonly value: string;
  readonly isNamed: boolean;
}

const named = (value: string): Candidate => ({ value: value.trim(), isNamed: true });

function fromUse({ path, name, value }: VariableUse): Candidate[] {
  const field = path[2];
  const key = path.slice(2).findLast((part) => typeof part === 'string') ?? '';
  const isNamed = SENSITIVE.test(name) || SENSITIVE.test(key);
  const isWanted = !EVERYDAY.has(name) && (isNamed || field === 'env' || field === 'headers');
  return [...(isWanted ? [{ value: value.trim(), isNamed }] : []), ...fromUrl(value)];
}

function fromHttp({ url, headers }: HttpTransportConfig): Candidate[] {
  const telling = Object.entries(headers).filter(([name]) => SENSITIVE.test(name));
  // Without its scheme too: `Bearer abc` may be repeated as `abc`.
  return [
    ...fromUrl(url),
    ...telling.flatMap(([, value]) => [named(value), named(value.replace(/^\S+\s+/, ''))]),
  ];
}

function fromStdio({ env: own, inheritEnv, args }: StdioTransportConfig, env: Environment): Candidate[] {
  const variables = [...Object.entries(own), ...inheritEnv.map((name) => [name, env[name] ?? ''] as const)];
  return [
    ...variables.filter(([name]) => SENSITIVE.test(name)).map(([, value]) => named(value)),
    ...[...variables.map(([, value]) => value), ...args].flatMap(fromUrl),
    ...args.flatMap((arg, index) => fromArgument(arg, args[index - 1] ?? '')),
  ];
}

/** `--api-key=VALUE`, or `VALUE` after `--api-key`. */
function fromArgument(arg: string, before: string): Candidate[] {
  const [, flag, value] = /^--?([\w-]+)=([\s\S]*)$/.exec(arg) ?? [];
  if (flag !== undefined && value !== undefined) return SENSITIVE.test(flag) ? [named(value)] : [];
  return /^--?[\w-]+$/.test(before) && SENSITIVE.test(before) && !arg.startsWith('-') ? [named(arg)] : [];
}

/** The password and the telling query values of a URL, as written and decoded. */
function fromUrl(text: string): Candidate[] {
  const url = text.includes('://') ? parseUrl(text) : null;
  if (url === null) return [];
  const queries = [...url.searchParams].filter(([name]) => SENSITIVE.test(name)).map(([, value]) => value);
  const found = [url.password, decoded(url.password), ...queries, ...queries.map(encodeURIComponent)];
  return found.filter((value) => value !== '').map(named);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    // A lone percent sign is legal in a password, and then stands for itself.
    if (error instanceof URIError) return text;
    throw error;
  }
}
