import type { VariableUse } from './expander.ts';
import type { ServerConfig, StdioTransportConfig } from './gateway-config.ts';
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
  const secrets = new Set<string>();
  const add = (value: string, isNamed: boolean): void => {
    const text = value.trim();
    if (text.length < (isNamed ? MIN_NAMED_LENGTH : MIN_UNNAMED_LENGTH)) return;
    if (!/^(?:true|false|null|none)$/i.test(text)) secrets.add(text);
  };
  const addUrl = (text: string): void => urlSecrets(text).forEach((value) => add(value, true));
  for (const { path, name, value } of uses) {
    const field = path[2];
    const key = path.slice(2).findLast((part) => typeof part === 'string') ?? '';
    const isNamed = SENSITIVE.test(name) || SENSITIVE.test(key);
    const isValue = field === 'env' || field === 'headers';
    if (!EVERYDAY.has(name) && (isNamed || isValue)) add(value, isNamed);
    addUrl(value);
  }
  for (const { transport } of servers) {
    if (transport.kind === 'stdio') addStdio(transport, env, add, addUrl);
    else {
      addUrl(transport.url);
      for (const [name, value] of Object.entries(transport.headers)) {
        // Without its scheme too: `Bearer abc` may be repeated as `abc`.
        if (SENSITIVE.test(name)) for (const text of [value, value.replace(/^\S+\s+/, '')]) add(text, true);
      }
    }
  }
  return [...secrets];
}

function addStdio(
  { env: own, inheritEnv, args }: StdioTransportConfig,
  env: Environment,
  add: (value: string, isNamed: boolean) => void,
  addUrl: (text: string) => void,
): void {
  const inherited = inheritEnv.map((name) => [name, env[name] ?? ''] as const);
  for (const [name, value] of [...Object.entries(own), ...inherited]) {
    if (SENSITIVE.test(name)) add(value, true);
    addUrl(value);
  }
  for (const [index, arg] of args.entries()) {
    const [, flag, value] = /^--?([\w-]+)=([\s\S]*)$/.exec(arg) ?? [];
    if (flag !== undefined && value !== undefined && SENSITIVE.test(flag)) add(value, true);
    const before = args[index - 1] ?? '';
    if (/^--?[\w-]+$/.test(before) && SENSITIVE.test(before) && !arg.startsWith('-')) add(arg, true);
    addUrl(arg);
  }
}

/** The password and the telling query values of a URL, as written and decoded. */
function urlSecrets(text: string): readonly string[] {
  const url = text.includes('://') ? parseUrl(text) : null;
  if (url === null) return [];
  const found = [url.password, decoded(url.password)];
  for (const [name, value] of url.searchParams) {
    if (SENSITIVE.test(name)) found.push(value, encodeURIComponent(value));
  }
  return found;
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
