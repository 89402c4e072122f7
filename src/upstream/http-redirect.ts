import type { Fail } from './failures.ts';

export interface Redirect {
  readonly status: number;
  readonly location: string | undefined;
  readonly from: URL;
  /** Redirects already followed for this request. */
  readonly hops: number;
  readonly fail: Fail;
}

const MAX_HOPS = 5;

export const isRedirect = (status: number): boolean => status >= 300 && status < 400 && status !== 304;

/**
 * Where a redirected request goes on. Only 307 and 308 keep the method and the body, and only the same
 * origin may see the server's credentials.
 * @throws GatewayError (UPSTREAM_REFUSED) that says which URL to configure instead.
 */
export function nextHop({ status, location, from, hops, fail }: Redirect): URL {
  const target = location === undefined ? undefined : parse(location, from);
  if (target === undefined) {
    throw fail('UPSTREAM_REFUSED', `answered HTTP ${status} without a usable Location`, { data: { status } });
  }
  // Query strings may hold keys, so an error shows the target without it.
  const shown = target.origin + target.pathname;
  if (target.origin !== from.origin) {
    throw fail(
      'UPSTREAM_REFUSED',
      `redirects to another origin, which is not followed; if it is right, configure ${shown} as its url`,
      { data: { status, location: shown } },
    );
  }
  if (status !== 307 && status !== 308) {
    throw fail(
      'UPSTREAM_REFUSED',
      `answered HTTP ${status}, which would lose the request; configure ${shown} as its url`,
      { data: { status, location: shown } },
    );
  }
  if (hops >= MAX_HOPS) {
    throw fail('UPSTREAM_REFUSED', `redirects more than ${MAX_HOPS} times; check its url`, {
      data: { status, location: shown },
    });
  }
  return target;
}

function parse(location: string, from: URL): URL | undefined {
  try {
    return new URL(location, from);
  } catch {
    return undefined;
  }
}
