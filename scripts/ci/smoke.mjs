// Starts the built gateway with the configuration of the repository on this Node, lists and calls through it, stops
// it: smoke.mjs MAJOR. The major version is checked, so that a path which was set wrongly cannot pass.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const [major] = process.argv.slice(2);
assert.equal(process.versions.node.split('.')[0], major, 'this is not the Node that was asked for');

const gateway = spawn(process.execPath, ['dist/src/cli/main.js', 'serve', '--port', '0'], {
  stdio: ['ignore', 'ignore', 'pipe'],
});
const exited = new Promise((resolve) => gateway.once('exit', (code, signal) => resolve({ code, signal })));
const lines = createInterface({ input: gateway.stderr });
const written = [];
// The gateway's own words are what explains a failure.
process.on('exit', (code) => {
  if (code !== 0) console.error(written.join('\n'));
  gateway.kill();
});

const url = await new Promise((resolve, reject) => {
  lines.on('line', (line) => {
    written.push(line);
    const ready = /^tollgate ready (http:\S+)$/.exec(line);
    if (ready) resolve(ready[1]);
  });
  void exited.then((end) => reject(new Error(`ended before it was ready: ${JSON.stringify(end)}`)));
});

/** One stateless request, as the protocol's own examples make it. */
async function request(method, params = {}) {
  const name = params.name === undefined ? {} : { 'mcp-name': params.name };
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...name,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
          'io.modelcontextprotocol/clientInfo': { name: 'smoke', version: '1.0.0' },
        },
      },
    }),
  });
  const body = await response.text();
  assert.equal(response.status, 200, `${method}: ${body}`);
  const event = /^data: ?(.*)$/m.exec(body);
  const answer = JSON.parse(event && !body.startsWith('{') ? event[1] : body);
  assert.ok(answer.result, `${method}: ${body}`);
  return answer.result;
}

const { tools } = await request('tools/list');
const names = tools.map(({ name }) => name);
for (const wanted of ['site__search_site', 'tickets__create']) {
  assert.ok(names.includes(wanted), `${wanted} is not among ${names.join(', ')}`);
}
const found = await request('tools/call', {
  name: 'site__search_site',
  arguments: { query: 'token bucket' },
});
assert.ok(!found.isError && found.content.length > 0, JSON.stringify(found));

const asked = Date.now();
gateway.kill('SIGTERM');
const end = await exited;
assert.deepEqual(end, { code: 0, signal: null });
assert.ok(Date.now() - asked < 5000, 'took 5 seconds or more to stop');
console.log(
  `Node ${process.version}: ${names.length} tools listed, one called, stopped in ${Date.now() - asked} ms`,
);
