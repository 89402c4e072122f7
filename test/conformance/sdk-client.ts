import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { isModern, type Revision } from './revisions.ts';

type Capabilities = NonNullable<NonNullable<ConstructorParameters<typeof Client>[1]>['capabilities']>;

/** What a client of each handshake revision offers; the first is what it asks for. */
const HANDSHAKE_REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

/** Connects the official client: with a handshake before 2026-07-28, and without one from then on. */
export async function connectSdkClient(
  url: string,
  revision: Revision,
  capabilities: Capabilities = {},
  prepare: (client: Client) => void = () => undefined,
): Promise<Client> {
  const modern = isModern(revision);
  const client = new Client(
    { name: 'conformance-driver', version: '1.0.0' },
    {
      capabilities,
      versionNegotiation: { mode: modern ? 'auto' : 'legacy' },
      ...(!modern && { supportedProtocolVersions: HANDSHAKE_REVISIONS.filter((one) => one <= revision) }),
    },
  );
  prepare(client);
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  const negotiated = client.getNegotiatedProtocolVersion();
  if (modern && negotiated !== revision) {
    throw new Error(`expected revision ${revision}, negotiated ${negotiated ?? 'nothing'}`);
  }
  return client;
}
