import { execFile } from 'node:child_process';
import { createServer } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange } from '../helpers/raw-http.ts';
import { verifies } from '../requirements/cli.ts';
import { commandLine, newMark, rawServer, root, run, start, type Workplace, workplace } from './processes.ts';

let place: Workplace;
beforeAll(async () => {
  place = await workplace({
    exposure: { mode: 'direct' },
    servers: { raw: rawServer(newMark()) },
    profiles: { narrow: { tools: { allow: ['raw__echo'] } } },
  });
});
afterAll(() => place[Symbol.asyncDispose]());

const ran = (...args: string[]) => run([...args, '-c', place.file]);

describe('check', () => {
  it(verifies('cli:check:sound'), async () => {
    const text = await ran('check');
    expect([text.code, text.stderr, text.stdout]).toEqual([
      0,
      '',
      `${place.file} is sound: 1 server, 2 profiles\n`,
    ]);
    const json = await ran('check', '--json');
    expect([json.code, JSON.parse(json.stdout)]).toMatchObject([
      0,
      { ok: true, path: place.file, servers: [{ server: 'raw', transport: 'stdio', enabled: true }] },
    ]);
  });

  it(verifies('cli:check:problems'), async () => {
    await using bad = await workplace(
      [
        'listen: { port: 99999 }',
        'servers:',
        '  one:',
        '    comand: node',
        '  two: { url: "ftp://x" }',
        'nonsense: 1',
        '',
      ].join('\n'),
    );
    for (const command of ['check', 'serve', 'stdio', 'tools']) {
      const { code, stdout, stderr } = await run([command, '-c', bad.file]);
      expect([command, code, stdout]).toEqual([command, 2, '']);
      for (const where of [`${bad.file}:1:`, `${bad.file}:4:`, `${bad.file}:5:`, `${bad.file}:6:`])
        expect(stderr).toContain(where);
      for (const key of ['listen.port', 'servers.one', 'servers.two', 'nonsense'])
        expect(stderr).toContain(key);
    }
    const missing = await run(['check', '-c', 'nowhere.yaml']);
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('nowhere.yaml:1:1')]);
    await using broken = await workplace('servers: {a: [}');
    expect((await run(['check', '-c', broken.file])).code).toBe(2);
  });

  it(verifies('cli:check:connect'), async () => {
    const good = await ran('check', '--connect');
    expect([good.code, good.stdout]).toEqual([
      0,
      expect.stringMatching(/^server +state.*\nraw +ok +2025-11-25 +14 +1 +1 +1$/m),
    ]);
    await using mixed = await workplace({
      servers: { raw: rawServer(newMark()), absent: { command: 'no-such-command-anywhere' } },
    });
    const bad = await run(['check', '--connect', '--json', '-c', mixed.file]);
    expect(bad.code).toBe(1);
    expect(JSON.parse(bad.stdout)).toMatchObject({
      ok: false,
      servers: [
        { server: 'raw', ok: true, tools: 14, era: 'legacy' },
        {
          server: 'absent',
          ok: false,
          trouble: expect.stringContaining('no-such-command-anywhere') as string,
        },
      ],
    });
  });
});

describe('one-shot commands', () => {
  it(verifies('cli:one-shot:results'), async () => {
    const listed = await ran('tools');
    expect([listed.code, listed.stdout]).toEqual([0, expect.stringMatching(/^raw__echo +The tool echo\.$/m)]);
    const json = JSON.parse((await ran('tools', '--json')).stdout) as { tools: { name: string }[] };
    expect(json.tools).toHaveLength(14);
    const narrow = JSON.parse((await ran('tools', '--json', '--profile', 'narrow')).stdout) as typeof json;
    expect(narrow.tools.map(({ name }) => name)).toEqual(['raw__echo']);
    const call = await ran('call', 'raw__slow', '{"ms":0,"payload":"héllo"}');
    expect([call.code, call.stdout, call.stderr]).toEqual([0, 'héllo\n', '']);
    const result = await ran('call', 'raw__slow', '{"ms":0}', '--json');
    expect(JSON.parse(result.stdout)).toMatchObject({ content: [{ type: 'text', text: 'done' }] });
    const read = await ran('read', 'raw://x/one');
    expect([read.code, read.stdout]).toEqual([0, 'content of raw://x/one\n']);
    const got = await ran('get', 'raw__greet', '{"who":"Ada"}');
    expect([got.code, got.stdout]).toEqual([0, 'user: Greet Ada\n']);
  });

  it(verifies('cli:one-shot:content'), async () => {
    const exact = (result: unknown) =>
      ran('call', 'raw__exact', JSON.stringify({ json: JSON.stringify(result) }));
    const { stdout } = await exact({
      content: [
        { type: 'text', text: 'text' },
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
        { type: 'resource_link', uri: 'a://b', name: 'n' },
        { type: 'resource', resource: { uri: 'a://c', text: 'inner' } },
        { type: 'resource', resource: { uri: 'a://d', blob: 'AAAA' } },
      ],
    });
    expect(stdout).toBe('text\n[image image/png, 3 bytes]\n[resource_link a://b]\ninner\n[resource a://d]\n');
    const failed = await exact({ isError: true, content: [{ type: 'text', text: 'no luck' }] });
    expect([failed.code, failed.stdout]).toEqual([1, 'no luck\n']);
  });

  it(verifies('cli:one-shot:failures'), async () => {
    const unknown = await ran('call', 'raw__none');
    expect([unknown.code, unknown.stdout, unknown.stderr]).toEqual([
      1,
      '',
      'tollgate: Unknown tool: raw__none\n',
    ]);
    const json = await ran('call', 'raw__none', '--json');
    expect([json.code, JSON.parse(json.stdout)]).toEqual([
      1,
      { error: { code: -32602, message: 'Unknown tool: raw__none' } },
    ]);
    const hidden = await ran('call', 'raw__slow', '{"ms":0}', '--profile', 'narrow');
    expect([hidden.code, hidden.stderr]).toEqual([1, 'tollgate: Unknown tool: raw__slow\n']);
    const own = await ran(
      'call',
      'raw__fails',
      JSON.stringify({ json: '{"code":-5,"message":"own words"}' }),
    );
    expect([own.code, own.stderr]).toEqual([1, 'tollgate: own words\n']);
    expect((await ran('get', 'raw__none')).code).toBe(1);
  });

  it(verifies('cli:usage:refused'), async () => {
    const misuses = [
      ['nonsense'],
      ['call'],
      ['call', 'raw__slow', 'not JSON'],
      ['call', 'raw__slow', '[]'],
      ['get', 'raw__greet', '5'],
      ['read'],
      ['tools', '--profile', 'nobody'],
      ['stdio', '--profile', 'nobody'],
      ['serve', '--port', 'abc'],
      ['serve', '--port', '70000'],
      ['serve', '--nonsense'],
      ['--nonsense'],
    ];
    for (const args of misuses) {
      const { code, stdout, stderr } = await run(
        args.includes('--nonsense') ? args : [...args, '-c', place.file],
      );
      expect([args, code, stdout]).toEqual([args, 2, '']);
      expect(stderr).not.toBe('');
      expect(stderr).not.toMatch(/\n\s+at /);
    }
    for (const args of [['--help'], ['call', '--help'], ['--version']]) {
      const { code, stdout } = await run(args);
      expect([args, code]).toEqual([args, 0]);
      expect(stdout).not.toBe('');
    }
  });

  it(verifies('cli:output:closed-reader'), async () => {
    const line = `'${process.execPath}' '${commandLine}' call raw__big '{"bytes":4000000}' -c '${place.file}' | head -c 10`;
    const { stdout, stderr } = await promisify(execFile)('sh', ['-c', line]);
    expect([stdout, stderr]).toEqual(['bbbbbbbbbb', '']);
  });
});

describe('serve', () => {
  it(verifies('cli:serve:ready'), async () => {
    await using gateway = start(['-c', place.file, '--port', '0']);
    const url = await gateway.ready(/^tollgate ready (http:\/\/127\.0\.0\.1:\d+\/mcp)$/m);
    expect(new URL(url).port).not.toBe('8808');
    const { origin } = new URL(url);
    expect((await exchange(`${origin}/healthz`, { method: 'GET' })).status).toBe(200);
    await expect.poll(async () => (await exchange(`${origin}/readyz`, { method: 'GET' })).status).toBe(200);
    const { body } = await exchange(`${origin}/readyz`, { method: 'GET' });
    expect(JSON.parse(body)).toMatchObject({
      status: 'ready',
      servers: [{ server: 'raw', state: 'ready', era: 'legacy' }],
    });
    expect(gateway.stdout()).toBe('');
  });

  it(verifies('cli:serve:port-taken'), async () => {
    const other = createServer();
    await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening));
    const { port } = other.address() as { port: number };
    const { code, stderr } = await run(['serve', '-c', place.file, '--port', String(port)]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`127.0.0.1:${port} is in use`)]);
    await new Promise((closed) => other.close(closed));
  });

  it(verifies('cli:start:npx'), async () => {
    const { stdout } = await promisify(execFile)('npx', ['--offline', 'tollgate', '--version'], {
      cwd: root,
    });
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
