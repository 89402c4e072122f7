/** What `spawn` is given. */
export interface SpawnCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** The arguments are already quoted for `cmd.exe`; Node must not quote them again. */
  readonly windowsVerbatimArguments: boolean;
}

export interface SpawnRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly platform: NodeJS.Platform;
  /** The child's environment: its `PATH` and `PATHEXT` decide what a bare name means. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Whether a file exists; asked on Windows only. */
  readonly exists: (path: string) => boolean;
}

/**
 * How to start a command. On POSIX it is started as written. On Windows, `npx` and its like are batch
 * files, which only `cmd.exe` runs; every argument is quoted and escaped for it, so that no character
 * of a configuration can start a second command.
 */
export function spawnCommand(request: SpawnRequest): SpawnCommand {
  const plain = { file: request.command, args: request.args, windowsVerbatimArguments: false };
  if (request.platform !== 'win32') return plain;
  const file = resolveOnWindows(request);
  if (file === undefined) return plain;
  if (!/\.(?:cmd|bat)$/i.test(file)) return { ...plain, file };
  const shell = envOf(request.env, 'ComSpec') ?? 'cmd.exe';
  // A batch file hands its arguments on to a second parse, so what is escaped once comes out bare there.
  const words = [escapeCommand(file), ...request.args.map(escapeArgument)];
  return { file: shell, args: ['/d', '/s', '/c', `"${words.join(' ')}"`], windowsVerbatimArguments: true };
}

/** Environment names do not distinguish case on Windows. */
function envOf(env: Readonly<Record<string, string>>, name: string): string | undefined {
  const wanted = name.toLowerCase();
  for (const [key, value] of Object.entries(env)) if (key.toLowerCase() === wanted) return value;
  return undefined;
}

function resolveOnWindows(request: SpawnRequest): string | undefined {
  const extensions = (envOf(request.env, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD')
    .split(';')
    .filter((ext) => ext !== '');
  const hasDirectory = /[\\/]/.test(request.command);
  const isAbsolute = /^(?:[A-Za-z]:[\\/]|[\\/])/.test(request.command);
  const folders = hasDirectory
    ? [isAbsolute ? '' : request.cwd]
    : (envOf(request.env, 'PATH') ?? '').split(';').filter((folder) => folder !== '');
  for (const folder of folders) {
    const base = folder === '' ? request.command : joinWindows(folder, request.command);
    // A name that already ends in an extension is taken as it stands first.
    const candidates = /\.[A-Za-z0-9]+$/.test(base) ? ['', ...extensions] : extensions;
    for (const extension of candidates) if (request.exists(base + extension)) return base + extension;
  }
  return undefined;
}

const joinWindows = (folder: string, name: string): string =>
  `${folder.replace(/[\\/]+$/, '')}\\${name.replaceAll('/', '\\')}`;

const META = /[()\][%!^"`<>&|;, *?]/g;
const caret = (text: string): string => text.replace(META, '^$&');

/** Line ends would end the command line; nothing legitimate contains them. */
const withoutLineEnds = (text: string): string => text.replace(/[\r\n]+/g, ' ');

const escapeCommand = (file: string): string => caret(withoutLineEnds(file).replaceAll('/', '\\'));

function escapeArgument(argument: string): string {
  // Backslashes double before a quote and at the end; elsewhere they are literal.
  const quoted = withoutLineEnds(argument)
    .replace(/(\\*)"/g, '$1$1\\"')
    .replace(/(\\*)$/, '$1$1');
  return caret(caret(`"${quoted}"`));
}
