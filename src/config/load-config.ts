import { readFile as readFileFromDisk } from 'node:fs/promises';
import { basename, dirname, resolve, sep } from 'node:path';

import { ConfigError, type ConfigProblem } from './config-error.ts';
import { readDocument, type SourceDocument } from './document.ts';
import { createExpander, type Expander } from './expander.ts';
import { ENDPOINT_PATH, type GatewayConfig, NAME_SEPARATOR, type ServerConfig } from './gateway-config.ts';
import { didYouMean } from './near-name.ts';
import { exposureOf, readProfiles } from './profiles.ts';
import type { Environment } from './references.ts';
import { createReport, type Report } from './report.ts';
import { collectSecrets } from './secrets.ts';
import { readServers, serverIds } from './servers.ts';
import { type Settings, settingsSchemas } from './settings-schema.ts';
import { resolvePath } from './transport.ts';
import { isMap, kindOf, type Tree, type TreeMap } from './tree.ts';
import { validate } from './validate.ts';

export interface ConfigSource {
  /** The file, as the user named it; problems repeat it. */
  readonly path: string;
  /** Answers environment references; usually `process.env`. */
  readonly env: Environment;
}

export interface LoadOptions extends ConfigSource {
  readonly readFile?: (path: string) => Promise<string>;
}

/** Reads and checks one file. Throws `ConfigError` with every problem at once. */
export async function loadConfig({ path, env, readFile = readText }: LoadOptions): Promise<GatewayConfig> {
  let text: string;
  try {
    text = await readFile(path);
  } catch (error) {
    const problem = { path, line: 1, column: 1, key: '', ...readFault(error) };
    throw new ConfigError([problem], { cause: error });
  }
  return parseConfig(text, { path, env });
}

const readText = (path: string): Promise<string> => readFileFromDisk(path, 'utf8');

function readFault(error: unknown): { readonly message: string; readonly fix?: string } {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code === 'ENOENT') return { message: 'there is no such file', fix: 'name another with -c FILE' };
  if (code === 'EISDIR') return { message: 'this is a folder, not a file' };
  if (code === 'EACCES' || code === 'EPERM') return { message: 'the file cannot be read: permission denied' };
  return { message: `the file cannot be read (${code ?? 'unknown cause'})` };
}

const SETTINGS = Object.keys(settingsSchemas) as readonly (keyof Settings)[];
const ACCEPTED_TOP_KEYS: readonly string[] = [...SETTINGS, 'servers', 'mcpServers', 'profiles'];
/** VS Code's prompts, and what editors put into JSON. */
const IGNORED_TOP_KEYS: readonly string[] = ['inputs', '$schema'];

/** Checks the text of one file. Throws `ConfigError` with every problem at once. */
export function parseConfig(text: string, { path, env }: ConfigSource): GatewayConfig {
  const document = readDocument(text, path);
  const isWhole = !document.faults.some((fault) => fault.breaksRest);
  const report = createReport({ filePath: path, locate: document.locate, isWhole });
  reportFaults(document, report);
  const root = rootOf(document.root, report);
  const isHostFile = belongsToHost(root, path);
  const baseDir = baseDirOf(path, isHostFile);
  const homeDir = env['HOME'] ?? env['USERPROFILE'];
  const expander = createExpander({ env, report, predefined: predefinedNames(baseDir, homeDir) });
  checkTopKeys(root, isHostFile, report);

  const settings = readSettings(root, expander, report);
  const serversDeps = { report, expander, document, baseDir, homeDir };
  const servers = readServers(root, serversDeps);
  const exposure = exposureOf(settings.exposure ?? settingsSchemas.exposure.parse(undefined));
  const profiles = readProfiles(root, { report, expander, exposure, serverIds: serverIds(root) });

  const problems = report.problems();
  if (!isComplete(settings) || problems.length > 0) throw new ConfigError(believable(document, problems));
  noteEmptiness(servers, report);
  return deepFreeze({
    path: resolve(path),
    baseDir,
    listen: { ...lowerCased(settings.listen), path: ENDPOINT_PATH },
    names: { ...settings.names, separator: NAME_SEPARATOR },
    stateDir: resolvePath(settings.stateDir, { baseDir, homeDir }),
    log: settings.log,
    limits: settings.limits,
    servers,
    exposure,
    accounting: settings.accounting,
    profiles,
    notices: report.notices(),
    secrets: collectSecrets(expander.uses, servers, env),
  });
}

function rootOf(root: Tree, report: Report): TreeMap {
  if (isMap(root)) return root;
  if (root !== null) report.problem([], `expected keys and values, got ${kindOf(root)}`);
  return new Map();
}

/**
 * True for a file that a host keeps for itself: JSON with servers in it and none of our settings.
 * Such files hold the host's own settings beside them, which are none of our business.
 */
function belongsToHost(root: TreeMap, path: string): boolean {
  const isJson = /\.jsonc?$/i.test(path);
  const hasServers = root.has('mcpServers') || root.has('servers');
  return isJson && hasServers && !SETTINGS.some((key) => root.has(key)) && !root.has('profiles');
}

const HOST_FOLDERS = new Set(['.vscode', '.cursor', '.roo', '.gemini', '.kiro', '.amazonq']);

/** Hosts keep their file in a folder of the workspace, and mean paths from the workspace. */
function baseDirOf(path: string, isHostFile: boolean): string {
  const folder = dirname(resolve(path));
  return isHostFile && HOST_FOLDERS.has(basename(folder)) ? dirname(folder) : folder;
}

/** Names that a reference may use besides the environment: one of ours, and those that hosts define. */
function predefinedNames(baseDir: string, homeDir: string | undefined): ReadonlyMap<string, string> {
  const names = new Map([
    ['configDir', baseDir],
    ['workspaceFolder', baseDir],
    ['workspaceFolderBasename', basename(baseDir)],
    ['pathSeparator', sep],
    ['/', sep],
  ]);
  if (homeDir !== undefined) names.set('userHome', homeDir);
  return names;
}

function checkTopKeys(root: TreeMap, isHostFile: boolean, report: Report): void {
  for (const key of root.keys()) {
    if (ACCEPTED_TOP_KEYS.includes(key)) continue;
    if (IGNORED_TOP_KEYS.includes(key)) {
      if (key === 'inputs') {
        report.notice(
          [key],
          'nothing is asked for; ${input:api-key} reads the environment variable API_KEY',
          'key',
        );
      }
    } else if (isHostFile) report.notice([key], 'no effect: a setting of the host', 'key');
    else report.problem([key], 'unknown key', { at: 'key', fix: didYouMean(key, ACCEPTED_TOP_KEYS) });
  }
}

function readSettings(root: TreeMap, expander: Expander, report: Report): Partial<Settings> {
  const read = <Key extends keyof Settings>(key: Key): readonly [Key, Settings[Key] | undefined] => {
    const tree = root.get(key);
    // `listen:` with nothing after it says the same as no such line.
    if (tree === undefined || tree === null) return [key, settingsSchemas[key].parse(undefined)];
    const value = expander.expand(tree, [key]);
    return [
      key,
      validate(settingsSchemas[key], value, { report, path: [key], isExpanded: expander.isExpanded }),
    ];
  };
  return Object.fromEntries(SETTINGS.map(read)) as Partial<Settings>;
}

function isComplete(settings: Partial<Settings>): settings is Settings {
  return SETTINGS.every((key) => settings[key] !== undefined);
}

function lowerCased(listen: Settings['listen']): Settings['listen'] {
  const lower = (text: string): string => text.toLowerCase();
  return {
    ...listen,
    allowedHosts: listen.allowedHosts.map(lower),
    allowedOrigins: listen.allowedOrigins.map(lower),
  };
}

function reportFaults({ faults }: SourceDocument, report: Report): void {
  for (const { path, message, fix, line, column } of faults) {
    report.problem(path, message, { fix, spot: { line, column }, spoilsValue: path.length > 0 });
  }
}

/** Behind a break in the text the tree is guesswork; complaints about it would only distract. */
function believable(
  { faults }: SourceDocument,
  problems: readonly ConfigProblem[],
): readonly ConfigProblem[] {
  const firstBreak = Math.min(...faults.filter((fault) => fault.breaksRest).map((fault) => fault.line));
  const isFault = ({ line, column, message }: ConfigProblem): boolean =>
    faults.some((fault) => fault.line === line && fault.column === column && fault.message === message);
  return problems.filter((problem) => problem.line < firstBreak || isFault(problem));
}

function noteEmptiness(servers: readonly ServerConfig[], report: Report): void {
  if (!servers.some((server) => server.enabled)) report.notice([], 'no server is configured and enabled');
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}
