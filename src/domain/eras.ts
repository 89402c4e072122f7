/** A family of protocol revisions: `legacy` opens with a handshake, `modern` is stateless. */
export type Era = 'legacy' | 'modern';

/** Newest first, as they are offered. https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning */
export const MODERN_VERSIONS: readonly string[] = ['2026-07-28'];

/** Newest first; the first is what a host that asks for something unknown is offered. */
export const LEGACY_VERSIONS: readonly string[] = [
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
];

/** The revision that a request without a version header is taken to speak. */
export const HEADERLESS_VERSION = '2025-03-26';

/** The only revision whose receivers must accept JSON-RPC batches. */
export const BATCH_VERSION = '2025-03-26';
