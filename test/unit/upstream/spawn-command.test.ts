import { describe, expect, it } from 'vitest';
import { spawnCommand, type SpawnCommand, type SpawnRequest } from '../../../src/upstream/spawn-command.ts';
import { verifies } from '../../requirements/upstream.ts';

const FILES = new Set([
  'C:\\nodejs\\npx.cmd',
  'C:\\nodejs\\node.exe',
  'C:\\Program Files\\tool\\run me.bat',
  'C:\\work\\bin\\local.cmd',
  'C:\\tools\\uvx.exe',
  'C:\\tools\\uvx.cmd',
]);

const windows = (
  command: string,
  args: readonly string[] = [],
  more: Partial<SpawnRequest> = {},
): SpawnCommand =>
  spawnCommand({
    command,
    args,
    platform: 'win32',
    env: { Path: 'C:\\nodejs;C:\\tools\\', PATHEXT: '.COM;.EXE;.BAT;.CMD', comspec: 'C:\\Windows\\cmd.exe' },
    cwd: 'C:\\work',
    exists: (path) => [...FILES].some((file) => file.toLowerCase() === path.toLowerCase()),
    ...more,
  });

/** What a batch file gets of one argument: `cmd.exe` reads the line, and the batch file hands it on to a second read. */
function received(command: SpawnCommand): string[] {
  const line = command.args[3]?.slice(1, -1) ?? '';
  const unescape = (text: string): string => text.replace(/\^(.)/gs, '$1');
  // A caret that escapes nothing would mean that a special character stands bare.
  const bare = /[&|<>()%!^";, ]/;
  const once = line.replace(/\^./gs, '');
  expect(bare.test(once.replaceAll(' ', ''))).toBe(false);
  const rest = unescape(unescape(line));
  return parseArguments(rest.slice(rest.indexOf(' ') + 1));
}

/** The C runtime's reading of a command line. */
function parseArguments(line: string): string[] {
  const out: string[] = [];
  let current = '';
  let isQuoted = false;
  for (let at = 0; at < line.length; at++) {
    let slashes = 0;
    while (line[at] === '\\') {
      slashes++;
      at++;
    }
    if (line[at] === '"') {
      current += '\\'.repeat(Math.floor(slashes / 2));
      if (slashes % 2 === 1) current += '"';
      else isQuoted = !isQuoted;
    } else {
      current += '\\'.repeat(slashes);
      if (line[at] === ' ' && !isQuoted) {
        out.push(current);
        current = '';
      } else current += line[at] ?? '';
    }
  }
  out.push(current);
  return out;
}

const HOSTILE = [
  'plain',
  'two words',
  'a&calc.exe',
  'a|b',
  '"quoted"',
  'back\\slash\\',
  '\\"',
  '%PATH%',
  '!delayed!',
  'a^b',
  '(x)<y>',
  'ümlaut',
  '',
  '&&',
  '" & del *.* & "',
];

describe('a command on Windows', () => {
  it(verifies('upstream:stdio:windows-commands'), () => {
    const npx = windows('npx', ['-y', '@scope/server@1.2.3', ...HOSTILE]);
    expect(npx.file).toBe('C:\\Windows\\cmd.exe');
    expect(npx.args.slice(0, 3)).toEqual(['/d', '/s', '/c']);
    expect(npx.args).toHaveLength(4);
    expect(npx.windowsVerbatimArguments).toBe(true);
    expect(received(npx)).toEqual(['-y', '@scope/server@1.2.3', ...HOSTILE]);
  });

  it('keeps line ends out of the command line', () => {
    expect(received(windows('npx', ['a\r\ncalc.exe']))).toEqual(['a calc.exe']);
  });

  it('may stand in a folder with spaces', () => {
    const { args } = windows('C:\\Program Files\\tool\\run me.bat', ['x']);
    expect(args[3]).toMatch(/^"C:\\Program\^ Files\\tool\\run\^ me\.bat /);
  });

  it.each([
    ['node', 'C:\\nodejs\\node.EXE'],
    ['uvx', 'C:\\tools\\uvx.EXE'],
    ['C:/nodejs/node.exe', 'C:/nodejs/node.exe'],
  ])('that is a program is started without a shell: %s', (command, file) => {
    const started = windows(command, ['a b'], {
      exists: (path) => FILES.has(path.replaceAll('/', '\\').replace(/EXE$/, 'exe')),
    });
    expect(started).toEqual({ file, args: ['a b'], windowsVerbatimArguments: false });
  });

  it('with a folder is looked for from its working directory', () => {
    expect(windows('bin/local').args[3]).toContain('C:\\work\\bin\\local.CMD');
  });

  it('that is nowhere is left to fail under its own name', () => {
    expect(windows('nowhere', ['a'])).toEqual({
      file: 'nowhere',
      args: ['a'],
      windowsVerbatimArguments: false,
    });
    expect(windows('npx', [], { env: {} }).file).toBe('npx');
  });
});

describe('a command elsewhere', () => {
  it('is started as it is written', () => {
    expect(windows('npx', ['a&b', '$(x)'], { platform: 'linux' })).toEqual({
      file: 'npx',
      args: ['a&b', '$(x)'],
      windowsVerbatimArguments: false,
    });
  });
});
