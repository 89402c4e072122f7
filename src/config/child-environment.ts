import type { StdioTransportConfig } from './gateway-config.ts';
import type { Environment } from './references.ts';

const POSIX_BASE = new Set('PATH HOME USER LOGNAME SHELL TERM LANG TMPDIR TZ'.split(' '));

const WINDOWS_BASE = new Set(
  (
    'APPDATA COMSPEC HOMEDRIVE HOMEPATH LANG LOCALAPPDATA NUMBER_OF_PROCESSORS OS PATH PATHEXT ' +
    'PROCESSOR_ARCHITECTURE PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432 SYSTEMDRIVE SYSTEMROOT TEMP TMP ' +
    'TZ USERDOMAIN USERNAME USERPROFILE WINDIR'
  ).split(' '),
);

/**
 * The whole environment of a child: a small base that any program needs, the variables that its
 * entry inherits by name, and the entry's own. Everything else of the gateway's environment, other
 * servers' keys above all, stays behind. On Windows names are compared without regard to case.
 */
export function childEnvironment(
  gatewayEnv: Environment,
  entry: Pick<StdioTransportConfig, 'env' | 'inheritEnv'>,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const isWindows = platform === 'win32';
  const fold = (name: string): string => (isWindows ? name.toUpperCase() : name);
  const base = isWindows ? WINDOWS_BASE : POSIX_BASE;
  const inherited = new Set(entry.inheritEnv.map(fold));
  const own = new Set(Object.keys(entry.env).map(fold));
  const passed = new Map<string, string>();
  for (const [name, value] of Object.entries(gatewayEnv)) {
    const folded = fold(name);
    const isBase = base.has(folded) || (!isWindows && folded.startsWith('LC_'));
    if (value === undefined || own.has(folded) || !(isBase || inherited.has(folded))) continue;
    // Old shells run what follows such a value's function definition.
    if (!value.startsWith('()')) passed.set(name, value);
  }
  for (const [name, value] of Object.entries(entry.env)) passed.set(name, value);
  return Object.fromEntries(passed);
}
