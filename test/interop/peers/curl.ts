import type { Answer, Ask, Fields, Peer, Target } from '../ask.ts';
import {
  answerIn,
  initializedNotification,
  initializeRequest,
  LEGACY,
  legacyRequest,
  MODERN,
  modernRequest,
  nameHeader,
} from './rpc.ts';
import { runProgram } from './run-program.ts';

interface HttpAnswer {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  readonly body: string;
}

type Headers = readonly (readonly [name: string, value: string])[];

/** The headers of the specification's own examples, for every POST. */
const basic: Headers = [
  ['Content-Type', 'application/json'],
  ['Accept', 'application/json, text/event-stream'],
];

async function curl(method: string, url: string, headers: Headers, body?: Fields): Promise<HttpAnswer> {
  const flags = headers.flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  // "--data-binary @-" sends the bytes of standard input as they are.
  const data = body === undefined ? [] : ['--data-binary', '@-'];
  const always = ['--silent', '--show-error', '--include', '--max-time', '30', '-X', method];
  const output = await runProgram(
    'curl',
    [...always, ...flags, ...data, url],
    body ? JSON.stringify(body) : '',
  );
  const split = output.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = output.slice(0, split).split('\r\n');
  const received = new Map(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  return {
    status: Number(statusLine.split(' ')[1]),
    header: (name) => received.get(name),
    body: output.slice(split + 4),
  };
}

/** The response in a body, which is one JSON object or an event stream that ends with it. */
function responseIn({ header, body, status }: HttpAnswer): unknown {
  if (header('content-type')?.startsWith('text/event-stream') === true) {
    const events = body.split(/\r?\n\r?\n/).map((event) =>
      event
        .split(/\r?\n/)
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).trimStart())
        .join('\n'),
    );
    const messages = events.filter((data) => data !== '').map((data) => JSON.parse(data) as Fields);
    return messages.find((message) => 'result' in message || 'error' in message);
  }
  try {
    return JSON.parse(body) as unknown;
  } catch {
    throw new Error(`HTTP ${status} with no JSON: ${body.slice(0, 500)}`);
  }
}

function urlOf(target: Target): string {
  if (target.kind === 'stdio') throw new Error('curl speaks HTTP only');
  return target.url;
}

export const curlModern: Peer = {
  name: 'curl, modern',
  reaches: ['http'],
  async run(target, asks) {
    const answers: Answer[] = [];
    for (const [id, ask] of asks.entries()) {
      const name = nameHeader(ask);
      const headers: Headers = [
        ...basic,
        ['MCP-Protocol-Version', MODERN],
        ['Mcp-Method', ask.method],
        ...(name === undefined ? [] : [['Mcp-Name', name] as const]),
      ];
      answers.push(
        answerIn(responseIn(await curl('POST', urlOf(target), headers, modernRequest(id, ask))), id),
      );
    }
    return { era: 'modern', answers };
  },
};

/** Begins a session as a legacy client does and returns the headers of every later request. */
async function handshake(url: string): Promise<Headers> {
  const opening = await curl('POST', url, basic, initializeRequest);
  const answer = answerIn(responseIn(opening), 'initialize');
  if (!('result' in answer)) throw new Error(`initialize failed: ${JSON.stringify(answer.error)}`);
  const session = opening.header('mcp-session-id');
  const headers: Headers = [
    ...basic,
    ['MCP-Protocol-Version', String(answer.result['protocolVersion'])],
    ...(session === undefined ? [] : [['Mcp-Session-Id', session] as const]),
  ];
  const { status } = await curl('POST', url, headers, initializedNotification);
  if (status !== 202) throw new Error(`notifications/initialized was answered with HTTP ${status}`);
  return headers;
}

export const curlLegacy: Peer = {
  name: `curl, ${LEGACY}`,
  reaches: ['http'],
  async run(target, asks) {
    const url = urlOf(target);
    const headers = await handshake(url);
    const answers: Answer[] = [];
    const send = (id: number, ask: Ask) => curl('POST', url, headers, legacyRequest(id, ask));
    for (const [id, ask] of asks.entries()) answers.push(answerIn(responseIn(await send(id, ask)), id));
    // Without a session there is nothing to end, and 405 is the answer of a server that does not let clients end one.
    const { status } = await curl('DELETE', url, headers);
    if (![200, 202, 204, 405].includes(status)) throw new Error(`DELETE was answered with HTTP ${status}`);
    return { era: 'legacy', answers };
  },
};
