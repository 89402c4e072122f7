import { classifyInboundRequest } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { errorAnswer } from '../../../src/downstream/error-responses.ts';
import { readMessage } from '../../../src/downstream/message.ts';
import {
  checkNotification,
  eraOf,
  isModernVersion,
  modernHost,
} from '../../../src/downstream/modern-envelope.ts';
import { GatewayError } from '../../../src/domain/index.ts';

const MODERN = '2026-07-28';
const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const INFO = 'io.modelcontextprotocol/clientInfo';
const LEVEL = 'io.modelcontextprotocol/logLevel';

type Fields = Readonly<Record<string, unknown>>;
type Headers = Readonly<Record<string, string>>;

const whole: Fields = { [VERSION]: MODERN, [CAPABILITIES]: {} };
const request = (method: string, meta?: Fields, params: Fields = {}): Fields => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  ...(meta === undefined ? { params } : { params: { ...params, _meta: meta } }),
});
const notification = (meta?: Fields): Fields => ({
  jsonrpc: '2.0',
  method: 'notifications/x',
  params: meta === undefined ? {} : { _meta: meta },
});
const headers = (method: string, more: Headers = {}): Headers => ({
  'mcp-protocol-version': MODERN,
  'mcp-method': method,
  ...more,
});

/** What the gateway makes of a message: the era it is served in, or the error and status that refuse it. */
function judge(body: unknown, given: Headers): string {
  const headerOf = (name: string): string | undefined => given[name];
  try {
    const message = readMessage(Buffer.from(JSON.stringify(body)), body);
    const era = eraOf(message, isModernVersion(given['mcp-protocol-version']?.trim()));
    if (era === 'legacy') return 'legacy';
    if (message.frame.kind === 'request') modernHost(message, { id: 'p', profile: 'default' }, headerOf);
    else if (message.frame.kind === 'notification') checkNotification(message, headerOf);
    return 'modern';
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const { body: text, status } = errorAnswer(error, '1', 'modern');
    return `${status} ${(JSON.parse(text) as { error: { code: number } }).error.code}`;
  }
}

/** What the official server makes of the same message before it is served. */
function oracle(body: unknown, given: Headers): string {
  const outcome = classifyInboundRequest({
    httpMethod: 'POST',
    body,
    ...(given['mcp-protocol-version'] === undefined
      ? {}
      : { protocolVersionHeader: given['mcp-protocol-version'] }),
    ...(given['mcp-method'] === undefined ? {} : { mcpMethodHeader: given['mcp-method'] }),
    ...(given['mcp-name'] === undefined ? {} : { mcpNameHeader: given['mcp-name'] }),
  });
  if (outcome.kind === 'reject') return `${outcome.httpStatus} ${outcome.code}`;
  return outcome.kind;
}

describe('the era of a message and what contradicts it', () => {
  /** Cells in which the gateway and the official server agree. */
  const agreed: [string, unknown, Headers][] = [
    ['a bare request', request('tools/list'), {}],
    [
      'a bare request under a header of the handshake era',
      request('tools/list'),
      { 'mcp-protocol-version': '2025-06-18' },
    ],
    ['a handshake', request('initialize', undefined, { protocolVersion: '2025-11-25' }), {}],
    [
      'a handshake that asks for the stateless revision',
      request('initialize', undefined, { protocolVersion: MODERN }),
      {},
    ],
    ['a handshake under the modern header', request('initialize'), headers('initialize')],
    ['a handshake that claims an older revision', request('initialize', { [VERSION]: '2025-11-25' }), {}],
    ['a handshake with half an envelope', request('initialize', { [VERSION]: MODERN }), {}],
    ['a handshake that is modern in everything', request('initialize', whole), headers('initialize')],
    ['a modern request', request('tools/list', whole), headers('tools/list')],
    [
      'a modern request with white space in its headers',
      request('tools/list', whole),
      headers(' tools/list ', { 'mcp-protocol-version': ` ${MODERN}\t` }),
    ],
    [
      'a modern request with an identity',
      request('tools/list', { ...whole, [INFO]: { name: 'n', version: '1' } }),
      headers('tools/list'),
    ],
    ['a modern header without an envelope', request('tools/list'), headers('tools/list')],
    ['a modern header with an empty envelope', request('tools/list', {}), headers('tools/list')],
    [
      'a modern header with an envelope that lacks the version',
      request('tools/list', { [CAPABILITIES]: {} }),
      headers('tools/list'),
    ],
    ['an envelope without capabilities', request('tools/list', { [VERSION]: MODERN }), headers('tools/list')],
    [
      'an envelope whose capabilities are a list',
      request('tools/list', { ...whole, [CAPABILITIES]: [] }),
      headers('tools/list'),
    ],
    [
      'an envelope whose version is a number',
      request('tools/list', { ...whole, [VERSION]: 7 }),
      headers('tools/list'),
    ],
    [
      'an envelope whose identity is text',
      request('tools/list', { ...whole, [INFO]: 'me' }),
      headers('tools/list'),
    ],
    [
      'an envelope whose log level is none',
      request('tools/list', { ...whole, [LEVEL]: 'loud' }),
      headers('tools/list'),
    ],
    [
      'a broken envelope under another header',
      request('tools/list', { [VERSION]: MODERN }),
      headers('tools/list', { 'mcp-protocol-version': '2025-06-18' }),
    ],
    [
      'another version in the header',
      request('tools/list', whole),
      headers('tools/list', { 'mcp-protocol-version': '2025-06-18' }),
    ],
    [
      'an unknown version in the header alone',
      request('tools/list', whole),
      headers('tools/list', { 'mcp-protocol-version': '2099-01-01' }),
    ],
    [
      'an unknown version in the body alone',
      request('tools/list', { ...whole, [VERSION]: '2099-01-01' }),
      headers('tools/list'),
    ],
    ['another method in the header', request('tools/list', whole), headers('tools/call')],
    [
      'another method under an unknown version',
      request('tools/list', { ...whole, [VERSION]: '2099-01-01' }),
      headers('tools/call', { 'mcp-protocol-version': '2099-01-01' }),
    ],
    ['a notification', notification(), {}],
    ['a notification under the modern header', notification(), { 'mcp-protocol-version': MODERN }],
    ['a notification with another method in the header', notification(), headers('notifications/y')],
    ['a notification with an envelope', notification(whole), headers('notifications/x')],
    [
      'a notification with another version in the header',
      notification(whole),
      headers('notifications/x', { 'mcp-protocol-version': '2025-06-18' }),
    ],
    ['a notification whose version is a number', notification({ [VERSION]: 7 }), headers('notifications/x')],
    ['a message of no protocol', { id: 1, method: 'tools/list' }, {}],
    ['params in a list', { jsonrpc: '2.0', id: 1, method: 'tools/list', params: [] }, {}],
    ['a request without an id that counts', { jsonrpc: '2.0', id: null, method: 'tools/list' }, {}],
    ['text', 'hello', {}],
    ['nothing', null, {}],
  ];

  it.each(agreed)('%s is judged as the official server does', (_what, body, given) => {
    expect(judge(body, given)).toBe(oracle(body, given));
  });

  /** Cells in which they differ, the reason, what the gateway does, and what the official server does. */
  const different: [string, string, unknown, Headers, string, string][] = [
    [
      'a version that nobody speaks',
      'the official server refuses it a step later, with the same error',
      request('tools/list', { ...whole, [VERSION]: '2099-01-01' }),
      headers('tools/list', { 'mcp-protocol-version': '2099-01-01' }),
      '400 -32022',
      'modern',
    ],
    [
      'a bare request under an unknown header',
      'without a session it is refused with the versions that are served, and within one as any other bad header',
      request('tools/list'),
      { 'mcp-protocol-version': '2099-01-01' },
      'legacy',
      '400 -32602',
    ],
    [
      'no version header',
      'the official server refuses it a step later, with the same error',
      request('tools/list', whole),
      { 'mcp-method': 'tools/list' },
      '400 -32020',
      'modern',
    ],
    [
      'no method header',
      'the official server refuses it a step later, with the same error',
      request('tools/list', whole),
      { 'mcp-protocol-version': MODERN },
      '400 -32020',
      'modern',
    ],
    [
      'params that are null',
      'some hosts write null for what they leave out',
      { jsonrpc: '2.0', id: 1, method: 'tools/list', params: null },
      {},
      'legacy',
      '400 -32600',
    ],
    [
      'a version that is null',
      'null is what some hosts write for nothing, and then the header decides',
      request('tools/list', { ...whole, [VERSION]: null }),
      {},
      'legacy',
      '400 -32602',
    ],
    [
      'an identity that is null',
      'the same',
      request('tools/list', { ...whole, [INFO]: null }),
      headers('tools/list'),
      'modern',
      '400 -32602',
    ],
    [
      'a fractional id',
      'it is echoed as any other: refusing it would help nobody',
      { ...request('tools/list'), id: 1.5 },
      {},
      'legacy',
      '400 -32600',
    ],
    [
      'an identity without a version',
      'it is for display alone, and what is missing there is no reason to refuse work',
      request('tools/list', { ...whole, [INFO]: { name: 'n' } }),
      headers('tools/list'),
      'modern',
      '400 -32602',
    ],
  ];

  it.each(different)('%s is judged otherwise, because %s', (_what, _why, body, given, ours, theirs) => {
    expect([judge(body, given), oracle(body, given)]).toEqual([ours, theirs]);
  });
});

describe('the mirrored name', () => {
  const call = request('tools/call', whole, { name: 'a b' });
  const withName = (name: string | undefined, body: unknown = call): string =>
    judge(body, headers('tools/call', name === undefined ? {} : { 'mcp-name': name }));

  it.each([
    ['a b', 'modern'],
    ['  a b\t', 'modern'],
    ['=?base64?YSBi?=', 'modern'],
    [undefined, '400 -32020'],
    ['', '400 -32020'],
    ['A B', '400 -32020'],
    ['a%20b', '400 -32020'],
    ['=?base64?YSBi', '400 -32020'],
    ['=?base64?YSB?=', '400 -32020'],
    ['=?base64?Y SBi?=', '400 -32020'],
    ['=?base64?YSBj?=', '400 -32020'],
    ['a b\u0080', '400 -32020'],
  ])('%s is judged %s', (name, expected) => {
    expect(withName(name)).toBe(expected);
  });

  it('may not be sent as the raw bytes of another alphabet', () => {
    const body = request('tools/call', whole, { name: 'Ã©' });
    expect(withName('Ã©', body)).toBe('400 -32020');
    expect(withName(`=?base64?${Buffer.from('Ã©').toString('base64')}?=`, body)).toBe('modern');
  });

  it('is the URI of a read, as it is written', () => {
    const read = request('resources/read', whole, { uri: 'file:///a%20b' });
    expect(judge(read, headers('resources/read', { 'mcp-name': 'file:///a%20b' }))).toBe('modern');
    expect(judge(read, headers('resources/read', { 'mcp-name': 'file:///a b' }))).toBe('400 -32020');
  });

  it('is not asked for where the params have none, nor for methods that mirror nothing', () => {
    expect(withName(undefined, request('tools/call', whole, { name: 7 }))).toBe('modern');
    expect(withName('=?base64?!?=', request('tools/call', whole, { name: 7 }))).toBe('400 -32020');
    expect(judge(request('tools/list', whole), headers('tools/list', { 'mcp-name': 'anything' }))).toBe(
      'modern',
    );
    expect(judge(request('toString', whole), headers('toString'))).toBe('modern');
  });
});

describe('the host of a modern request', () => {
  it('is what this request says, and nothing else', () => {
    const meta = {
      ...whole,
      [CAPABILITIES]: { elicitation: {} },
      [INFO]: { name: 'n', version: '1' },
      [LEVEL]: 'error',
    };
    const body = request('tools/list', meta);
    const principal = { id: 'p', profile: 'review' };
    const message = readMessage(Buffer.from(JSON.stringify(body)), body);
    expect(modernHost(message, principal, undefined)).toEqual({
      principal,
      era: 'modern',
      protocolVersion: MODERN,
      capabilities: { elicitation: {} },
      clientInfo: { name: 'n', version: '1' },
      sessionKey: undefined,
      logLevel: 'error',
    });
  });

  it('has no headers to agree with over pipes', () => {
    const body = request('tools/call', whole, { name: 'x' });
    const message = readMessage(Buffer.from(JSON.stringify(body)), body);
    expect(modernHost(message, { id: 'p', profile: 'default' }, undefined).era).toBe('modern');
  });
});
