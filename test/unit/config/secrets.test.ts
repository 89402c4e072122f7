import { describe, expect, it } from 'vitest';

import { parseConfig } from '../../../src/config/index.ts';
import { verifies } from '../../requirements/config.ts';

const secretsOf = (servers: string, env: Record<string, string> = {}): readonly string[] =>
  parseConfig(`servers:\n${servers}`, { path: 'gateway.config.yaml', env }).secrets;

describe('the secrets of a configuration', () => {
  it(verifies('config:secrets:collected'), () => {
    const env = { A: 'first-value', B: 'second-value', TOKEN: 'tok4' };
    const secrets = secretsOf(
      '  a: { command: run, env: { K: "${A}" } }\n  b: { url: "https://e.com", headers: { X: "v ${B}", Y: "${TOKEN}" } }',
      env,
    );
    expect(secrets).toEqual(['first-value', 'second-value', 'tok4']);
  });

  it('take in what stands under a telling name, written out or not', () => {
    const secrets =
      secretsOf(`  a: { command: run, env: { API_KEY: literal }, args: [--token, t-value, --password=pw-value, --name, ada] }
  b: { url: "https://e.com/mcp?key=q%2Fvalue&page=twelve", headers: { Authorization: Bearer h-value, X-Page: twelve } }`);
    expect(secrets).toEqual([
      'literal',
      't-value',
      'pw-value',
      'q/value',
      'q%2Fvalue',
      'Bearer h-value',
      'h-value',
    ]);
  });

  it('take in the password of an inherited proxy, and not its address', () => {
    const env = { HTTPS_PROXY: 'http://user:p%40ss-word@proxy.example.com:3128' };
    expect(secretsOf('  a: { command: run, inheritEnv: [HTTPS_PROXY] }', env)).toEqual([
      'p%40ss-word',
      'p@ss-word',
    ]);
  });

  it('leave out what would black out half the log', () => {
    const env = { HOME: '/home/ada', FLAG: 'true', SHORT: 'abc', DIR: '/srv/data' };
    const secrets = secretsOf(
      '  a: { command: run, args: ["${DIR}"], env: { H: "${HOME}", F: "${FLAG}", S: "${SHORT}", D: "${X:-default}" } }',
      env,
    );
    expect(secrets).toEqual([]);
  });
});
