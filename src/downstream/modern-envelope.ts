import { GatewayError, MODERN_VERSIONS, type Principal } from '../domain/index.ts';
import { type Host, isLogLevel } from '../routing/index.ts';
import { decodeHeaderValue } from '../wire/index.ts';
import { type HostMessage, isRecord } from './message.ts';

const PREFIX = 'io.modelcontextprotocol/';
const VERSION_KEY = `${PREFIX}protocolVersion`;
const CAPABILITIES_KEY = `${PREFIX}clientCapabilities`;
const CLIENT_INFO_KEY = `${PREFIX}clientInfo`;
const LOG_LEVEL_KEY = `${PREFIX}logLevel`;

export const isModernVersion = (version: unknown): boolean =>
  typeof version === 'string' && MODERN_VERSIONS.includes(version);

/** A message claims the stateless era by the version in its envelope, whatever its method or headers. */
export const claimsEnvelope = (message: HostMessage): boolean => message.meta[VERSION_KEY] !== undefined;

/** The header that a message's name must be mirrored in, by method. */
const NAMED: ReadonlyMap<string, 'name' | 'uri'> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
]);

/** Reads a header of the request, by lower-case name. */
export type HeaderOf = (name: string) => string | undefined;

/**
 * Checks the envelope of a modern message and tells who sent it.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic#meta
 *
 * @throws GatewayError HEADER_MISMATCH, VERSION_UNSUPPORTED or ENVELOPE_INVALID, in this order of precedence
 */
export function modernHost(message: HostMessage, principal: Principal, headerOf: HeaderOf | undefined): Host {
  const version = message.meta[VERSION_KEY];
  checkVersion(version, headerOf);
  const capabilities = message.meta[CAPABILITIES_KEY];
  if (!isRecord(capabilities)) throw invalid(CAPABILITIES_KEY, 'an object');
  const clientInfo = message.meta[CLIENT_INFO_KEY] ?? undefined;
  if (clientInfo !== undefined && !isRecord(clientInfo)) throw invalid(CLIENT_INFO_KEY, 'an object');
  const logLevel = message.meta[LOG_LEVEL_KEY] ?? undefined;
  if (logLevel !== undefined && !isLogLevel(logLevel)) throw invalid(LOG_LEVEL_KEY, 'a log level');
  return {
    principal,
    era: 'modern',
    protocolVersion: version as string,
    capabilities,
    clientInfo,
    sessionKey: undefined,
    logLevel,
  };
}

function checkVersion(version: unknown, headerOf: HeaderOf | undefined): void {
  const header = headerOf?.('mcp-protocol-version')?.trim();
  if (headerOf !== undefined && header === undefined) throw mismatch('MCP-Protocol-Version is missing');
  if (typeof version !== 'string') throw invalid(VERSION_KEY, 'a string');
  if (header !== undefined && header !== version) {
    throw mismatch(
      `MCP-Protocol-Version says ${JSON.stringify(header)}, the body ${JSON.stringify(version)}`,
    );
  }
  if (!isModernVersion(version)) {
    throw new GatewayError('VERSION_UNSUPPORTED', `Unsupported protocol version: ${version}`, {
      data: { requested: version },
    });
  }
}

/**
 * Checks that the mirrored standard headers say what the body says.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#server-validation
 *
 * @throws GatewayError HEADER_MISMATCH
 */
export function checkStandardHeaders(message: HostMessage, headerOf: HeaderOf): void {
  const method = message.frame.method ?? '';
  const methodHeader = headerOf('mcp-method')?.trim();
  if (methodHeader === undefined) throw mismatch('Mcp-Method is missing');
  if (methodHeader !== method)
    throw mismatch(`Mcp-Method says ${JSON.stringify(methodHeader)}, the body ${JSON.stringify(method)}`);
  const key = NAMED.get(method);
  const name = key === undefined ? undefined : message.params[key];
  if (typeof name !== 'string') return;
  const raw = headerOf('mcp-name');
  if (raw === undefined) throw mismatch('Mcp-Name is missing');
  const decoded = decodeHeaderValue(raw);
  if (decoded === undefined) throw mismatch('Mcp-Name is malformed');
  if (decoded !== name)
    throw mismatch(`Mcp-Name says ${JSON.stringify(decoded)}, the body ${JSON.stringify(name)}`);
}

/** A request with a modern version header but no envelope is a modern request that lacks what it must carry. */
export function missingEnvelope(): GatewayError {
  return new GatewayError('ENVELOPE_INVALID', `Invalid params: _meta lacks ${VERSION_KEY}`);
}

const mismatch = (what: string): GatewayError =>
  new GatewayError('HEADER_MISMATCH', `Header mismatch: ${what}`);
const invalid = (key: string, what: string): GatewayError =>
  new GatewayError('ENVELOPE_INVALID', `Invalid params: _meta["${key}"] must be ${what}`);
