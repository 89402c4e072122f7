import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { acceptsOf, headerReader, isJsonType, paramHeadersIn } from '../../../src/downstream/host-headers.ts';

const requestWith = (...rawHeaders: string[]): IncomingMessage => {
  const headers: Record<string, string> = {};
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    const value = rawHeaders[at + 1] ?? '';
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return { headers, rawHeaders } as unknown as IncomingMessage;
};

describe('a header', () => {
  it('is read whatever the case of its name', () => {
    expect(headerReader(requestWith('MCP-Name', 'a'))('mcp-name')).toBe('a');
    expect(headerReader(requestWith())('mcp-name')).toBeUndefined();
  });

  it('may hold a comma', () => {
    expect(headerReader(requestWith('Mcp-Name', 'a, b'))('mcp-name')).toBe('a, b');
  });

  it('is refused when it stands twice', () => {
    for (const [one, other] of [
      ['a', 'a'],
      ['a', 'b'],
      ['', ''],
    ] as const) {
      const headerOf = headerReader(requestWith('Mcp-Name', one, 'X', 'y', 'mcp-name', other));
      expect(() => headerOf('mcp-name')).toThrow(
        expect.objectContaining({ code: 'HEADER_MISMATCH' }) as Error,
      );
      expect(headerOf('x')).toBe('y');
    }
  });
});

describe('headers that mirror arguments', () => {
  it('are found whatever their case, in their order and with their values as sent', () => {
    const raw = ['Host', 'h', 'MCP-Param-B', '=?base64?w6k=?=', 'mcp-parameter', 'no', 'mcp-param-a', ''];
    expect(paramHeadersIn(raw)).toEqual(['mcp-param-b', '=?base64?w6k=?=', 'mcp-param-a', '']);
    expect(paramHeadersIn([])).toEqual([]);
  });
});

describe('what a host accepts', () => {
  it.each([
    [undefined, true, true, false],
    ['*/*', true, true, false],
    ['application/json, text/event-stream', true, true, false],
    ['text/event-stream, application/json', true, true, true],
    ['application/json', true, false, false],
    ['application/*;q=0.9', true, false, false],
    ['text/event-stream', false, true, true],
    ['text/*', false, true, true],
    ['TEXT/EVENT-STREAM,APPLICATION/JSON', true, true, true],
    ['text/html', false, false, false],
    ['', false, false, false],
  ])('of %s: documents %s, streams %s, streams rather %s', (header, json, stream, prefersStream) => {
    expect(acceptsOf(header)).toEqual({ json, stream, prefersStream });
  });

  it.each([
    ['application/json', true],
    ['application/json; charset=utf-8', true],
    ['APPLICATION/JSON ;x=1', true],
    ['application/json5', false],
    ['text/json', false],
    ['application/x-www-form-urlencoded', false],
    ['', false],
    [undefined, false],
  ])('a body of %s is JSON: %s', (type, expected) => {
    expect(isJsonType(type)).toBe(expected);
  });
});
