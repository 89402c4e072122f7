import type { CatalogEntry, Snapshot } from '../catalog/index.ts';
import { GatewayError, type ServerId } from '../domain/index.ts';
import type { Policy } from '../policy/index.ts';
import { childMembers, type Member, type ParamHeader } from '../wire/index.ts';
import type { HostRequest } from './host.ts';
import type { Rename } from './outbound.ts';

/** The methods that are relayed as bytes. */
export type RelayedMethod = 'tools/call' | 'prompts/get' | 'resources/read' | 'completion/complete';

/** Where a request goes, and what changes in it on the way. */
export interface Target {
  readonly server: ServerId;
  readonly renames: readonly Rename[];
  /** The name that the next hop's `Mcp-Name` mirrors; undefined for methods without one. */
  readonly mirroredName: string | undefined;
  readonly paramHeaders: readonly ParamHeader[];
  readonly nativeName: string;
}

/** A name or URI that the snapshot does not know, and the principal could be permitted to use. */
export interface Unknown {
  readonly exposed: string;
  readonly error: GatewayError;
}

export type Resolution =
  { readonly ok: true; readonly target: Target } | { readonly ok: false; readonly unknown: Unknown };

export interface Resolver {
  (request: HostRequest, snapshot: Snapshot): Resolution;
}

const unknownName = (what: string, exposed: string): Unknown => ({
  exposed,
  error: new GatewayError('NAME_UNKNOWN', `Unknown ${what}: ${exposed}`),
});

/** A missing resource names its URI in `data`. https://modelcontextprotocol.io/specification/2026-07-28/server/resources#error-handling */
const unknownUri = (uri: string): Unknown => ({
  exposed: uri,
  error: new GatewayError('NAME_UNKNOWN', `Unknown resource: ${uri}`, { data: { uri } }),
});

/**
 * Resolves what a request names. What policy hides is answered exactly as what does not exist.
 *
 * @throws GatewayError REQUEST_PARAMS when the request does not say what it wants
 */
export function createResolver(policy: Policy): Resolver {
  const named = (request: HostRequest, what: 'tool' | 'prompt', snapshot: Snapshot): Resolution => {
    const { span, text } = stringParam(request, 'name');
    const entry = what === 'tool' ? snapshot.tool(text) : snapshot.prompt(text);
    if (entry === undefined || !policy.decide(request.host.principal, entry).allowed) {
      return { ok: false, unknown: unknownName(what, text) };
    }
    return { ok: true, target: entryTarget(entry, [{ span, native: entry.native }], entry.native) };
  };

  const resource = (request: HostRequest, snapshot: Snapshot): Resolution => {
    const { span, text } = stringParam(request, 'uri');
    const route = resolveUri(request, snapshot, text);
    if (route === undefined) return { ok: false, unknown: unknownUri(text) };
    return {
      ok: true,
      target: {
        server: route.server,
        renames: [{ span, native: route.native }],
        mirroredName: route.native,
        paramHeaders: [],
        nativeName: route.native,
      },
    };
  };

  const resolveUri = (
    request: HostRequest,
    snapshot: Snapshot,
    uri: string,
  ): { server: ServerId; native: string } | undefined => {
    const { principal } = request.host;
    const route = snapshot.resolveUri(uri, (server) => policy.mayUse(principal, server));
    if (route === undefined || !policy.mayRead(principal, route.server, route.native)) return undefined;
    const isHidden = route.entry !== undefined && !policy.decide(principal, route.entry).allowed;
    return isHidden ? undefined : { server: route.server, native: route.native };
  };

  const completion = (request: HostRequest, snapshot: Snapshot): Resolution => {
    const params = childMembers(request.frame.bytes, request.paramsSpan);
    const refSpan = params?.get('ref');
    const refMembers = childMembers(request.frame.bytes, refSpan);
    const ref = request.params['ref'];
    if (refMembers === undefined || typeof ref !== 'object' || ref === null)
      throw missing('ref', 'an object');
    const { type, name, uri } = ref as Record<string, unknown>;
    if (type === 'ref/prompt' && typeof name === 'string') {
      const entry = snapshot.prompt(name);
      const isVisible = entry !== undefined && policy.decide(request.host.principal, entry).allowed;
      if (!isVisible) return { ok: false, unknown: unknownName('prompt', name) };
      return {
        ok: true,
        target: entryTarget(entry, renameOf(refMembers.get('name'), entry.native), undefined),
      };
    }
    if (type === 'ref/resource' && typeof uri === 'string') {
      const template = snapshot.template(uri);
      if (template !== undefined && policy.decide(request.host.principal, template).allowed) {
        return {
          ok: true,
          target: entryTarget(template, renameOf(refMembers.get('uri'), template.native), undefined),
        };
      }
      const route = resolveUri(request, snapshot, uri);
      if (route === undefined) return { ok: false, unknown: unknownUri(uri) };
      return {
        ok: true,
        target: {
          server: route.server,
          renames: renameOf(refMembers.get('uri'), route.native),
          mirroredName: undefined,
          paramHeaders: [],
          nativeName: route.native,
        },
      };
    }
    throw missing('ref', 'a ref/prompt with a name or a ref/resource with a uri');
  };

  return (request, snapshot) => {
    switch (request.method as RelayedMethod) {
      case 'tools/call':
        return named(request, 'tool', snapshot);
      case 'prompts/get':
        return named(request, 'prompt', snapshot);
      case 'resources/read':
        return resource(request, snapshot);
      case 'completion/complete':
        return completion(request, snapshot);
    }
  };
}

const renameOf = (span: Member | undefined, native: string): Rename[] =>
  span === undefined ? [] : [{ span, native }];

function entryTarget(
  entry: CatalogEntry,
  renames: readonly Rename[],
  mirroredName: string | undefined,
): Target {
  return {
    server: entry.server,
    renames,
    mirroredName,
    paramHeaders: entry.paramHeaders,
    nativeName: entry.native,
  };
}

const missing = (key: string, what: string): GatewayError =>
  new GatewayError('REQUEST_PARAMS', `params.${key} must be ${what}`);

function stringParam(request: HostRequest, key: string): { span: Member; text: string } {
  const text = request.params[key];
  const span = childMembers(request.frame.bytes, request.paramsSpan)?.get(key);
  if (typeof text !== 'string' || span === undefined) throw missing(key, 'a string');
  return { span, text };
}
