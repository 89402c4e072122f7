import { describe, expect, it } from 'vitest';

import { childEnvironment, parseConfig, type StdioTransportConfig } from '../../../src/config/index.ts';
import { verifies } from '../../requirements/config.ts';

const GATEWAY = {
  PATH: '/usr/bin',
  HOME: '/home/ada',
  LANG: 'de_DE.UTF-8',
  LC_ALL: 'C',
  TERM: 'xterm',
  SECRET_A: 'alpha',
  GITHUB_TOKEN: 'gh',
  HTTPS_PROXY: 'http://u:p@proxy.example.com:3128',
  NODE_EXTRA_CA_CERTS: '/etc/ca.pem',
  NODE_OPTIONS: '--inspect',
  LOGNAME: undefined,
};

const none = { env: {}, inheritEnv: [] };

function transports(yaml: string): readonly StdioTransportConfig[] {
  const { servers } = parseConfig(yaml, { path: 'gateway.config.yaml', env: GATEWAY });
  return servers.map(({ transport }) => transport as StdioTransportConfig);
}

describe('childEnvironment', () => {
  it(verifies('config:environment:only-what-is-named'), () => {
    const [one, two] = transports(`
servers:
  one: { command: run, env: { K: "\${SECRET_A}", X: "\${X:-def}", D: "$$" } }
  two: { command: run }`);
    const base = { PATH: '/usr/bin', HOME: '/home/ada', LANG: 'de_DE.UTF-8', LC_ALL: 'C', TERM: 'xterm' };
    expect(childEnvironment(GATEWAY, one!, 'linux')).toEqual({ ...base, K: 'alpha', X: 'def', D: '$' });
    expect(childEnvironment(GATEWAY, two!, 'linux')).toEqual(base);
  });

  it(verifies('config:environment:inherited-by-name'), () => {
    const [one, two] = transports(`
servers:
  one: { command: run, inheritEnv: [HTTPS_PROXY, NODE_EXTRA_CA_CERTS, NOT_SET] }
  two: { command: run }`);
    expect(childEnvironment(GATEWAY, one!, 'linux')).toMatchObject({
      HTTPS_PROXY: GATEWAY.HTTPS_PROXY,
      NODE_EXTRA_CA_CERTS: '/etc/ca.pem',
    });
    expect(childEnvironment(GATEWAY, one!, 'linux')).not.toHaveProperty('NOT_SET');
    expect(childEnvironment(GATEWAY, two!, 'linux')).not.toHaveProperty('HTTPS_PROXY');
  });

  it("prefers the entry's own value to the inherited one", () => {
    const entry = { env: { PATH: '/opt/bin', LANG: '' }, inheritEnv: ['LANG'] };
    expect(childEnvironment({ PATH: '/usr/bin', LANG: 'C' }, entry, 'linux')).toEqual({
      PATH: '/opt/bin',
      LANG: '',
    });
  });

  it('passes on no value that a shell would run as a function', () => {
    expect(childEnvironment({ TERM: '() { :; }; echo', PATH: '/bin' }, none, 'linux')).toEqual({
      PATH: '/bin',
    });
  });

  it('compares names without regard to case on Windows, and keeps their spelling', () => {
    const gateway = {
      Path: 'C:\\bin',
      SystemRoot: 'C:\\Windows',
      'ProgramFiles(x86)': 'C:\\P',
      HOME: 'x',
      Secret: 's',
    };
    const entry = { env: {}, inheritEnv: ['secret'] };
    expect(childEnvironment(gateway, entry, 'win32')).toEqual({
      Path: 'C:\\bin',
      SystemRoot: 'C:\\Windows',
      'ProgramFiles(x86)': 'C:\\P',
      Secret: 's',
    });
    expect(childEnvironment(gateway, { env: { PATH: 'D:\\' }, inheritEnv: [] }, 'win32')).not.toHaveProperty(
      'Path',
    );
  });

  it('takes a name that means something to the language as any other', () => {
    const env = Object.fromEntries([['__proto__', 'a'] as const, ['constructor', 'b'] as const]);
    const child = childEnvironment({}, { env, inheritEnv: [] }, 'linux');
    expect(Object.entries(child)).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
  });
});
