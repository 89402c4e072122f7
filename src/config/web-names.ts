/** `host`, `host:port`, `[::1]` or `[::1]:port`, and nothing of a URL around it. */
export function isHostWithPort(text: string): boolean {
  if (!/^(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9_.-]+)(?::\d{1,5})?$/.test(text)) return false;
  return URL.canParse(`http://${text}`);
}

/** A serialised origin: scheme, host and perhaps a port, as a browser sends it. */
export function isOrigin(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/?#@\s]+$/i.test(text) && URL.canParse(text);
}

/** Why a text cannot be the URL of a server, or nothing. Never repeats the URL: it may hold a secret. */
export function urlFault(text: string): { readonly message: string; readonly fix?: string } | undefined {
  const url = parseUrl(text);
  if (url === null) return { message: 'not a URL', fix: 'write it whole, such as https://example.com/mcp' };
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return { message: 'must begin with http:// or https://' };
  }
  if (url.username !== '' || url.password !== '') {
    return { message: 'a URL cannot hold credentials', fix: 'send them in headers.Authorization' };
  }
  if (url.hash !== '') return { message: 'the part after # is never sent', fix: 'remove it' };
  return undefined;
}

/** True where what is sent to this URL stays on this machine. */
export function isLoopback(text: string): boolean {
  const host = parseUrl(text)?.hostname ?? '';
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || host.startsWith('127.');
}

export function parseUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}
