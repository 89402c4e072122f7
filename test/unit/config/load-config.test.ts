import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  ConfigError,
  formatProblem,
  formatProblems,
  type GatewayConfig,
  loadConfig,
  parseConfig,
} from '../../../src/config/index.ts';
import { verifies } from '../../requirements/config.ts';

const PATH = '/srv/gateway/gateway.config.yaml';
const parse = (text: string, env: Record<string, string> = {}, path: string = PATH): GatewayConfig =>
  parseConfig(text, { path, env });

function errorOf(run: () => unknown): ConfigError {
  try {
    run();
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('the configuration was accepted');
}

const failWith = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));

describe('loadConfig', () => {
  it('reads the file it is given', async () => {
    const readFile = (path: string) => Promise.resolve(`servers: { a: { command: ${path} } }`);
    const { servers } = await loadConfig({ path: 'x.yaml', env: {}, readFile });
    expect(servers[0]?.transport).toMatchObject({ command: 'x.yaml' });
  });

  it('reads from the disk by default', async () => {
    const config = await loadConfig({ path: 'gateway.config.yaml', env: {} });
    expect(config.servers.map(({ id }) => id)).toEqual(['site', 'tickets', 'files', 'memory']);
  });

  it.each([
    ['ENOENT', 'x.yaml:1:1  there is no such file; name another with -c FILE'],
    ['EISDIR', 'x.yaml:1:1  this is a folder, not a file'],
    ['EACCES', 'x.yaml:1:1  the file cannot be read: permission denied'],
    ['EIO', 'x.yaml:1:1  the file cannot be read (EIO)'],
  ])('says what is wrong when reading fails with %s', async (code, expected) => {
    const loading = loadConfig({ path: 'x.yaml', env: {}, readFile: failWith(code) });
    await expect(loading).rejects.toThrow(expected);
    await expect(loading).rejects.toMatchObject({ code: 'CONFIG_INVALID', name: 'ConfigError' });
  });
});

describe('parseConfig', () => {
  it(verifies('config:keys:unknown-refused'), () => {
    const error = errorOf(() =>
      parse('servers:\n  fs:\n    command: run\n    tools: { alow: [read_file] }\n'),
    );
    expect(formatProblems(error)).toBe(
      `${PATH}:4:14  servers.fs.tools.alow  unknown key; did you mean "allow"?`,
    );
  });

  it(verifies('config:problems:all-at-once'), () => {
    const { problems, message } = errorOf(() =>
      parse(`listen: { port: x }
servers:
  a: { command: y }
  a: { comand: y, timeouts: { listMs: 0 } }
foo: 1
`),
    );
    expect(problems.map(({ line, column, key }) => [line, column, key])).toEqual([
      [1, 17, 'listen.port'],
      [4, 3, 'servers.a'],
      [4, 8, 'servers.a.comand'],
      [4, 39, 'servers.a.timeouts.listMs'],
      [5, 1, 'foo'],
    ]);
    expect(message.split('\n')).toHaveLength(5);
  });

  it(verifies('config:references:everywhere'), () => {
    const { servers } = parse(
      `servers:
  a: { command: "\${P}/run", args: ["\${P}", "$$x"], env: { K: "\${P}" }, cwd: "\${P}" }
  b: { url: "https://\${H:-example.com}/\${P}", headers: { X: "\${P}" } }`,
      { P: 'p' },
    );
    expect(servers.map(({ transport }) => transport)).toEqual([
      {
        kind: 'stdio',
        command: 'p/run',
        args: ['p', '$x'],
        env: { K: 'p' },
        cwd: '/srv/gateway/p',
        inheritEnv: [],
      },
      { kind: 'auto', url: 'https://example.com/p', headers: { X: 'p' } },
    ]);
  });

  it(verifies('config:result:frozen'), () => {
    const config = parse('servers: { a: { command: run, env: { A: b } } }');
    const open: string[] = [];
    const visit = (value: unknown, path: string): void => {
      if (typeof value !== 'object' || value === null) return;
      if (!Object.isFrozen(value)) open.push(path);
      for (const [key, inner] of Object.entries(value)) visit(inner, `${path}.${key}`);
    };
    visit(config, 'config');
    expect(open).toEqual([]);
    expect(config).toMatchObject({
      path: PATH,
      stateDir: '/srv/gateway/.tollgate',
      names: { maxLength: 48 },
    });
  });

  it(verifies('config:servers:file-order'), () => {
    const names = ['zeta', '10', 'Beta', '2', 'alpha', 'constructor', '1'];
    const { servers } = parse(`servers:\n${names.map((name) => `  ${name}: { command: run }`).join('\n')}`);
    expect(servers.map(({ id }) => id)).toEqual(names);
  });

  it(verifies('config:urls:as-written'), () => {
    const urls = [
      'https://example.com/mcp/',
      'https://example.com',
      'https://example.com/a//b?x=%7E',
      'http://[::1]/',
    ];
    const { servers } = parse(
      `servers:\n${urls.map((url, index) => `  s${index}: { url: "${url}" }`).join('\n')}`,
    );
    expect(servers.map(({ transport }) => (transport.kind === 'stdio' ? '' : transport.url))).toEqual(urls);
  });

  it(verifies('config:headers:own-hop-only'), () => {
    const headers = [
      'Host',
      'content-length',
      'Accept-Encoding',
      'Mcp-Session-Id',
      'MCP-Protocol-Version',
      'Mcp-Param-X',
    ];
    const list = headers.map((name) => `${name}: x`).join(', ');
    const { problems } = errorOf(() =>
      parse(`servers: { a: { url: "https://e.com", headers: { ${list} } } }`),
    );
    expect(problems.map(({ key }) => key)).toEqual(headers.map((name) => `servers.a.headers.${name}`));
  });

  it(verifies('config:namespaces:rules'), () => {
    const wrong = ['a__b', 'a_', 'a b', 'a.b', 'ä', 'a/b'];
    const entries = wrong.map((namespace, index) => `  s${index}: { command: run, namespace: ${namespace} }`);
    const taken = '  t: { command: run, namespace: u }\n  u: { command: run }';
    const { problems } = errorOf(() => parse(`servers:\n${entries.join('\n')}\n${taken}\n`));
    expect(problems.map(({ key }) => key)).toEqual([
      ...wrong.map((_, index) => `servers.s${index}.namespace`),
      'servers.u',
    ]);
    for (const right of ['a', '_a', 'A-b_c', '"0"', 'a-', '""']) {
      expect(parse(`servers: { s: { command: run, namespace: ${right} } }`).servers).toHaveLength(1);
    }
  });

  it(verifies('config:hosts:names-apart'), () => {
    const names = [
      'My Server',
      'my.server',
      'My.Server',
      'My_Server',
      '日本',
      '中国',
      'a__b',
      'a_b',
      '___',
      'é',
      'e',
    ];
    const block = (order: readonly string[]) =>
      parse(`mcpServers:\n${order.map((name) => `  ${JSON.stringify(name)}: { command: run }`).join('\n')}`);
    const namespaces = (config: GatewayConfig) =>
      new Map(config.servers.map(({ id, namespace }) => [String(id), namespace]));
    const first = namespaces(block(names));
    expect(new Set(first.values()).size).toBe(names.length);
    for (const namespace of first.values()) expect(namespace).toMatch(/^(?!.*__)[A-Za-z0-9_-]*[A-Za-z0-9-]$/);
    expect(first.get('My_Server')).toBe('My_Server');
    expect(first.get('a_b')).toBe('a_b');
    const reversed = namespaces(block(names.toReversed()));
    expect(Object.fromEntries(reversed)).toEqual(Object.fromEntries(first));
  });

  it('gives a host name its hash too when a server of ours has the cleaned name', () => {
    const { servers } = parse(
      'servers: { a_b: { command: x } }\nmcpServers: { "a b": { command: y }, c: { command: z } }',
    );
    expect(servers.map(({ namespace }) => namespace)).toEqual([
      'a_b',
      expect.stringMatching(/^a_b_[0-9a-f]{6}$/),
      'c',
    ]);
  });

  it(verifies('config:hosts:blocks-unchanged'), () => {
    const block = {
      mcpServers: {
        memory: {
          command: 'npx',
          args: ['-y', 'server'],
          env: { A: 'b' },
          disabled: true,
          autoApprove: ['x'],
          timeout: 30,
        },
        web: {
          type: 'streamable-http',
          url: 'https://example.com/mcp',
          headers: { A: 'b' },
          description: 'Web',
        },
        wind: { serverUrl: 'https://example.com/sse' },
      },
    };
    for (const path of ['/srv/mcp.json', '/srv/gateway.config.yaml']) {
      const { servers, notices } = parse(JSON.stringify(block, null, 2), {}, path);
      expect(servers.map(({ id, enabled, transport: { kind } }) => [id, enabled, kind])).toEqual([
        ['memory', false, 'stdio'],
        ['web', true, 'http'],
        ['wind', true, 'auto'],
      ]);
      expect(notices.map(({ key }) => key)).toEqual([
        'mcpServers.memory.autoApprove',
        'mcpServers.memory.timeout',
        'mcpServers.web.description',
      ]);
      expect(formatProblem(notices[0]!)).toContain(
        `${path}:13:7  mcpServers.memory.autoApprove  no effect: `,
      );
    }
  });

  it("starts relative paths at the workspace for a file in a host's own folder", () => {
    const text = '{"servers": {"a": {"type": "stdio", "command": "run"}}}';
    expect(parse(text, {}, '/home/ada/app/.vscode/mcp.json').baseDir).toBe('/home/ada/app');
    expect(parse(text, {}, '/home/ada/app/mcp.json').baseDir).toBe('/home/ada/app');
  });

  it("ignores a host's own settings only in a file that is the host's", () => {
    const servers = '"mcpServers": {"a": {"command": "run"}}';
    expect(parse(`{${servers}, "numStartups": 3}`, {}, '/srv/claude.json').notices).toMatchObject([
      { key: 'numStartups' },
    ]);
    expect(() => parse(`{${servers}, "numStartups": 3}`)).toThrow('unknown key');
    expect(() => parse(`{${servers}, "log": {}, "numStartups": 3}`, {}, '/srv/x.json')).toThrow(
      'unknown key',
    );
  });

  it('points out what is likely a mistake and yet may be meant', () => {
    const { notices } = parse(
      `servers:
  a: { command: npx -y server }
  b: { url: "http://example.com/mcp", headers: { A: "\${EMPTY}" } }
  c: { command: "C:\\\\Program Files\\\\server.exe" }
  d: { url: "http://localhost:3000/mcp", headers: { A: b } }`,
      { EMPTY: '' },
    );
    expect(notices.map(({ key }) => key)).toEqual([
      'servers.a.command',
      'servers.b.url',
      'servers.b.headers.A',
    ]);
  });

  it('says in its message what is wrong, without a value of the environment', () => {
    const error = errorOf(() =>
      parse('listen: { port: "${P}" }\nlog: { level: "${P}" }', { P: 'very-secret' }),
    );
    expect(error.problems).toHaveLength(2);
    expect(JSON.stringify(error.problems) + error.message).not.toContain('very-secret');
  });

  it.each(['{<<', 'a: &x {<<: *x}', 'a: &x\n  <<: [*x, ]\n', '<<: [null]', '<<:'])(
    'refuses the merge %j with a fault that says where',
    (source) => {
      expect(() => parse(source, {}, PATH)).toThrow(ConfigError);
    },
  );

  it('rejects any text with a ConfigError, and never otherwise', () => {
    const piece = fc.constantFrom(
      'servers:',
      ' a:',
      '\n',
      ' ',
      '  ',
      '{',
      '}',
      '[',
      ']',
      ',',
      '"',
      "'",
      '&x',
      '*x',
      '<<',
      '- ',
      '${A}',
      '|',
      '#',
      '\t',
      ': ',
      'command',
      '!!x',
      '?',
      '%',
    );
    const text = fc.oneof(
      fc.string(),
      fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join('')),
    );
    fc.assert(
      fc.property(text, fc.constantFrom(PATH, '/srv/x.json'), (source, path) => {
        let problems: ConfigError['problems'] | undefined;
        try {
          parse(source, {}, path);
        } catch (error) {
          if (!(error instanceof ConfigError)) throw error;
          problems = error.problems;
        }
        expect(problems).not.toEqual([]);
        expect(problems?.every(({ line, column }) => line > 0 && column > 0) ?? true).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
