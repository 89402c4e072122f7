import { describe, expect, it } from 'vitest';
import type { ListenConfig } from '../../../src/config/index.ts';
import { corsHeaders, createPerimeter, preflightHeaders } from '../../../src/downstream/perimeter.ts';

const listen = (more: Partial<ListenConfig> = {}): ListenConfig => ({
  host: '127.0.0.1',
  port: 8808,
  path: '/mcp',
  allowedHosts: [],
  allowedOrigins: [],
  ...more,
});
const check = (config: ListenConfig, host: string | undefined, origin?: string): number =>
  createPerimeter(config).check(host, origin)?.status ?? 200;

describe('the Host of a request', () => {
  it.each([
    ['127.0.0.1', 200],
    ['127.0.0.1:8808', 200],
    ['127.8.8.8', 200],
    ['localhost:3000', 200],
    ['LocalHost', 200],
    ['app.localhost', 200],
    ['[::1]', 200],
    ['[::1]:8808', 200],
    [undefined, 403],
    ['', 403],
    ['evil.example', 403],
    ['localhost.evil.example', 403],
    ['127.0.0.1.evil.example', 403],
    ['192.168.1.5', 403],
    ['[::2]', 403],
    ['[::1', 403],
    ['::1', 403],
    ['localhost:', 403],
    ['localhost:123456', 403],
    ['localhost:80@evil.example', 403],
    ['localhost/x', 403],
    ['local host', 403],
    ['127.0.0.1, evil.example', 403],
  ])('of a listener on this machine: %s is answered %i', (host, status) => {
    expect(check(listen(), host)).toBe(status);
  });

  it.each([
    ['10.1.2.3:8808', 200],
    ['[2001:db8::1]:8808', 200],
    ['localhost', 200],
    ['gw.example.com', 403],
    ['10.1.2.3.example.com', 403],
    ['10.1.2', 403],
  ])('of a listener on every address: %s is answered %i', (host, status) => {
    for (const address of ['0.0.0.0', '::']) expect(check(listen({ host: address }), host)).toBe(status);
  });

  it('may be the name that the gateway listens on', () => {
    const config = listen({ host: 'Gateway.lan' });
    expect([check(config, 'gateway.lan:8808'), check(config, 'gateway.lan')]).toEqual([200, 200]);
    expect(check(config, 'other.lan')).toBe(403);
  });

  it('may be one that is configured, with any port unless the configuration names one', () => {
    const config = listen({ allowedHosts: ['gw.example.com', 'other.example.com:8443'] });
    expect(check(config, 'gw.example.com')).toBe(200);
    expect(check(config, 'GW.example.com:1')).toBe(200);
    expect(check(config, 'other.example.com:8443')).toBe(200);
    expect(check(config, 'other.example.com')).toBe(403);
    expect(check(config, 'other.example.com:1')).toBe(403);
  });
});

describe('the Origin of a request', () => {
  const config = listen({ allowedHosts: ['gw.example.com'], allowedOrigins: ['https://app.example.com'] });

  it.each([
    [undefined, 200],
    ['http://localhost', 200],
    ['http://localhost:6274', 200],
    ['https://127.0.0.1:1', 200],
    ['http://[::1]:6274', 200],
    ['HTTP://LOCALHOST:6274', 200],
    ['https://app.example.com', 200],
    ['https://gw.example.com:8443', 200],
    ['null', 403],
    ['', 403],
    ['https://evil.example', 403],
    ['https://app.example.com.evil.example', 403],
    ['https://app.example.com:8443', 403],
    ['http://app.example.com', 403],
    ['https://gw.example.com', 403],
    ['file://', 403],
    ['chrome-extension://abcdef', 403],
    ['http://localhost:80/path', 403],
    ['http://localhost, http://evil.example', 403],
  ])('%s is answered %i', (origin, status) => {
    expect(check(config, 'gw.example.com:8443', origin)).toBe(status);
  });

  it('does not excuse a Host that is not allowed', () => {
    expect(check(config, 'evil.example', 'http://evil.example')).toBe(403);
  });
});

describe('what pages are allowed', () => {
  it('is nothing where there is no page', () => {
    expect(corsHeaders(undefined)).toEqual([]);
  });

  it('names the very origin, and the headers that it may read', () => {
    expect(corsHeaders('https://app.example.com')).toEqual([
      'access-control-allow-origin',
      'https://app.example.com',
      'access-control-expose-headers',
      'mcp-session-id, mcp-protocol-version, www-authenticate',
      'vary',
      'origin',
    ]);
  });

  it('is every header that a request asks for, else those that hosts send', () => {
    const asked = preflightHeaders('http://localhost', 'mcp-param-region');
    expect(asked[asked.indexOf('access-control-allow-headers') + 1]).toBe('mcp-param-region');
    const usual = preflightHeaders('http://localhost', undefined);
    expect(usual[usual.indexOf('access-control-allow-headers') + 1]).toContain('mcp-name');
  });
});
