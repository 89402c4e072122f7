import { type Era, GatewayError, MODERN_VERSIONS, type Principal } from '../domain/index.ts';
import { type Host, isLogLevel } from '../routing/index.ts';
import { decodeHeaderValue } from '../wire/index.ts';
import type { HeaderOf } from './host-headers.ts';
import { type HostMessage, isRecord } from './message.ts';

const PREFIX = 'io.modelcontextprotocol/';
const VERSION_KEY = `${PREFIX}protocolVersion`;
const CAPABILITIES_KEY = `${PREFIX}clientCapabilities`;
const CLIENT_INFO_KEY = `${PREFIX}clientInfo`;
const LOG_LEVEL_KEY = `${PREFIX}logLevel`;

const VERSION_HEADER = 'MCP-Protocol-Version';

export const isModernVersion = (version: unknown): boolean =>
  typeof version === 'string' && MODERN_VERSIONS.includes(version);

/**
 * The era that a message asks to be served in: the version in its envelope says so, whatever its headers are.
 * Only a message without an envelope is judged by the header, which then names what the body lacks.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning
 *
 * @throws GatewayError HEADER_MISMATCH for a handshake under the header of a revision that has none
 */
export function eraOf(message: HostMessage, isModernHeader: boolean): Era {
  const isHandshake = message.frame.method === 'initialize';
  if (isHandshake ? claimsModern(message) : claimsEnvelope(message)) return 'modern';
  if (!isModernHeader) return 'legacy';
  if (isHandshake) throw mismatch(`${VERSION_HEADER} names a revision that has no initialize`);
  return 'modern';
}

/** A message claims the stateless era by the version in its envelope; null counts as absent. */
export const claimsEnvelope = (message: HostMessage): boolean =>
  message.meta[VERSION_KEY] !== undefined && message.meta[VERSION_KEY] !== null;

/** A handshake is one by definition, unless everything about it says otherwise. */
const claimsModern = (message: HostMessage): boolean =>
  isModernVersion(message.meta[VERSION_KEY]) && isRecord(message.meta[CAPABILITIES_KEY]);

/** The header that a message's name must be mirrored in, by method. */
const NAMED: ReadonlyMap<string, 'name' | 'uri'> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
]);

/**
 * Checks the envelope of a modern request, and its mirrored headers where it has any, and tells who sent it.
 * What makes the request unreadable comes first, then what contradicts itself, then what this gateway lacks.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic#meta
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#server-validation
 *
 * @throws GatewayError ENVELOPE_INVALID, HEADER_MISMATCH or VERSION_UNSUPPORTED
 */
export function modernHost(message: HostMessage, principal: Principal, headerOf: HeaderOf | undefined): Host {
  const version = versionOf(message);
  const capabilities = message.meta[CAPABILITIES_KEY];
  if (!isRecord(capabilities)) throw invalid(CAPABILITIES_KEY, 'an object');
  const clientInfo = message.meta[CLIENT_INFO_KEY] ?? undefined;
  if (clientInfo !== undefined && !isRecord(clientInfo)) throw invalid(CLIENT_INFO_KEY, 'an object');
  const logLevel = message.meta[LOG_LEVEL_KEY] ?? undefined;
  if (logLevel !== undefined && !isLogLevel(logLevel)) throw invalid(LOG_LEVEL_KEY, 'a log level');
  if (headerOf !== undefined) checkAgreement(message, version, headerOf);
  checkSupported(version);
  if (headerOf !== undefined) checkPresence(message, headerOf);
  const session = { sessionKey: undefined, logLevel };
  return { principal, era: 'modern', protocolVersion: version, capabilities, clientInfo, ...session };
}

/**
 * Checks what a posted notification says of itself. The revision defines none and no headers for them, so only
 * contradictions are refused.
 *
 * @throws GatewayError ENVELOPE_INVALID, HEADER_MISMATCH or VERSION_UNSUPPORTED
 */
export function checkNotification(message: HostMessage, headerOf: HeaderOf): void {
  const version = claimsEnvelope(message) ? versionOf(message) : undefined;
  checkAgreement(message, version, headerOf);
  if (version !== undefined) checkSupported(version);
}

function versionOf(message: HostMessage): string {
  const version = message.meta[VERSION_KEY] ?? undefined;
  if (version === undefined) {
    throw new GatewayError('ENVELOPE_INVALID', `Invalid params: _meta lacks ${VERSION_KEY}`);
  }
  if (typeof version !== 'string') throw invalid(VERSION_KEY, 'a string');
  return version;
}

function checkAgreement(message: HostMessage, version: string | undefined, headerOf: HeaderOf): void {
  const versionHeader = headerOf('mcp-protocol-version')?.trim();
  if (versionHeader !== undefined && version !== undefined && versionHeader !== version)
    throw disagreement(VERSION_HEADER, versionHeader, version);
  const method = message.frame.method ?? '';
  const methodHeader = headerOf('mcp-method')?.trim();
  if (methodHeader !== undefined && methodHeader !== method)
    throw disagreement('Mcp-Method', methodHeader, method);
}

function checkSupported(version: string): void {
  if (isModernVersion(version)) return;
  const data = { requested: version };
  throw new GatewayError('VERSION_UNSUPPORTED', `Unsupported protocol version: ${version}`, { data });
}

function checkPresence(message: HostMessage, headerOf: HeaderOf): void {
  if (headerOf('mcp-protocol-version') === undefined) throw mismatch(`${VERSION_HEADER} is missing`);
  if (headerOf('mcp-method') === undefined) throw mismatch('Mcp-Method is missing');
  const key = NAMED.get(message.frame.method ?? '');
  if (key === undefined) return;
  // A name that is no string is a fault of the params, which the answer tells in its own place.
  const name = typeof message.params[key] === 'string' ? message.params[key] : undefined;
  const raw = headerOf('mcp-name');
  if (raw === undefined) {
    if (name !== undefined) throw mismatch('Mcp-Name is missing');
    return;
  }
  const decoded = VISIBLE.test(raw) ? decodeHeaderValue(raw) : undefined;
  if (decoded === undefined) throw mismatch('Mcp-Name is malformed');
  if (name !== undefined && decoded !== name) throw disagreement('Mcp-Name', decoded, name);
}

/** The characters that a mirrored value may have on the wire; others have to be encoded. */
const VISIBLE = /^[\t\x20-\x7e]*$/;

const mismatch = (what: string): GatewayError =>
  new GatewayError('HEADER_MISMATCH', `Header mismatch: ${what}`);
const disagreement = (header: string, inHeader: string, inBody: string): GatewayError =>
  mismatch(`${header} says ${JSON.stringify(inHeader)}, the body ${JSON.stringify(inBody)}`);
const invalid = (key: string, what: string): GatewayError =>
  new GatewayError('ENVELOPE_INVALID', `Invalid params: _meta["${key}"] must be ${what}`);
