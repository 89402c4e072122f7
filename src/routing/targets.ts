import type { CatalogEntry, Snapshot, UriRoute, Wanted } from '../catalog/index.ts';
import { GatewayError, type ServerId } from '../domain/index.ts';
import type { Policy } from '../policy/index.ts';
import { childMembers, type Member, type ParamHeader } from '../wire/index.ts';
import type { Rename } from './outbound.ts';
import { paramsFault, type ReadRequest, stringParam } from './read-request.ts';
import { readableUri } from './readable-uri.ts';

/** The methods that are relayed as bytes. */
export type RelayedMethod = 'tools/call' | 'prompts/get' | 'resources/read' | 'completion/complete';

/** Where a request goes, and what changes in it on the way. */
export interface Target {
  readonly server: ServerId;
  readonly nativeName: string;
  /** The name under which the tool is exposed; undefined for what is no tool. */
  readonly tool: string | undefined;
  readonly rename: Rename | undefined;
  /** The name that the next hop's `Mcp-Name` mirrors; undefined for methods without one. */
  readonly mirroredName: string | undefined;
  readonly paramHeaders: readonly ParamHeader[];
}

/** A name or URI that the snapshot does not know, or that policy hides from this caller. */
export interface Unknown extends Wanted {
  readonly error: GatewayError;
}

export type Resolution =
  { readonly ok: true; readonly target: Target } | { readonly ok: false; readonly unknown: Unknown };

export interface Resolver {
  (read: ReadRequest, snapshot: Snapshot): Resolution;
}

const NO_HEADERS: readonly ParamHeader[] = [];

/**
 * Resolves what a request names. What policy hides is answered exactly as what does not exist.
 *
 * @throws GatewayError REQUEST_PARAMS when the request does not say what it wants
 */
export function createResolver(policy: Policy): Resolver {
  const visible = (read: ReadRequest, entry: CatalogEntry | undefined): CatalogEntry | undefined =>
    entry !== undefined && policy.decide(read.request.host.principal, entry).allowed ? entry : undefined;

  const named = (read: ReadRequest, what: 'tool' | 'prompt', snapshot: Snapshot): Resolution => {
    const { span, text } = stringParam(read, 'name');
    const entry = visible(read, what === 'tool' ? snapshot.tool(text) : snapshot.prompt(text));
    return entry === undefined ? unknownName(what, text) : toEntry(entry, span, entry.native);
  };

  const resource = (read: ReadRequest, snapshot: Snapshot): Resolution => {
    const { span, text } = stringParam(read, 'uri');
    const route = readableUri(policy, read.request.host.principal, snapshot, text);
    return route === undefined ? unknownUri(text) : toUri(route, text, span, route.native);
  };

  const completion = (read: ReadRequest, snapshot: Snapshot): Resolution => {
    const { params, frame, host } = read.request;
    const members = childMembers(frame.bytes, read.members.get('ref'));
    const ref = params['ref'];
    if (members === undefined || typeof ref !== 'object' || ref === null)
      throw paramsFault('params.ref', 'an object');
    const { type, name, uri } = ref as Record<string, unknown>;
    if (type === 'ref/prompt' && typeof name === 'string') {
      const prompt = visible(read, snapshot.prompt(name));
      return prompt === undefined
        ? unknownName('prompt', name)
        : toEntry(prompt, members.get('name'), undefined);
    }
    if (type !== 'ref/resource' || typeof uri !== 'string')
      throw paramsFault('params.ref', 'a ref/prompt with a name or a ref/resource with a uri');
    const template = visible(read, snapshot.template(uri));
    if (template !== undefined) return toEntry(template, members.get('uri'), undefined);
    const route = readableUri(policy, host.principal, snapshot, uri);
    if (route === undefined) return unknownUri(uri);
    return toUri(route, uri, members.get('uri'), undefined);
  };

  return (read, snapshot) => {
    switch (read.request.method as RelayedMethod) {
      case 'tools/call':
        return named(read, 'tool', snapshot);
      case 'prompts/get':
        return named(read, 'prompt', snapshot);
      case 'resources/read':
        return resource(read, snapshot);
      case 'completion/complete':
        return completion(read, snapshot);
    }
  };
}

const unknownName = (what: string, exposed: string): Resolution => ({
  ok: false,
  unknown: {
    by: 'name',
    exposed,
    error: new GatewayError('NAME_UNKNOWN', `Unknown ${what}: ${exposed}`),
  },
});

/** A missing resource names its URI in `data`. https://modelcontextprotocol.io/specification/2026-07-28/server/resources#error-handling */
export const unknownResource = (uri: string): GatewayError =>
  new GatewayError('NAME_UNKNOWN', `Unknown resource: ${uri}`, { data: { uri } });

const unknownUri = (uri: string): Resolution => ({
  ok: false,
  unknown: { by: 'uri', exposed: uri, error: unknownResource(uri) },
});

const renameOf = (span: Member | undefined, exposed: string, native: string): Rename | undefined =>
  span === undefined || exposed === native ? undefined : { span, native };

const toEntry = (
  entry: CatalogEntry,
  span: Member | undefined,
  mirroredName: string | undefined,
): Resolution => ({
  ok: true,
  target: {
    server: entry.server,
    nativeName: entry.native,
    tool: entry.kind === 'tool' ? entry.exposed : undefined,
    rename: renameOf(span, entry.exposed, entry.native),
    mirroredName,
    paramHeaders: entry.paramHeaders,
  },
});

const toUri = (
  { server, native }: UriRoute,
  exposed: string,
  span: Member | undefined,
  mirroredName: string | undefined,
): Resolution => ({
  ok: true,
  target: {
    server,
    nativeName: native,
    tool: undefined,
    rename: renameOf(span, exposed, native),
    mirroredName,
    paramHeaders: NO_HEADERS,
  },
});
