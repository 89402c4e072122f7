import {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { answerOf, type Ask, type Peer, type Target } from '../ask.ts';

type Mode = 'auto' | 'legacy' | { readonly pin: string };

function transportTo(target: Target): Transport {
  if (target.kind === 'http') return new StreamableHTTPClientTransport(new URL(target.url));
  if (target.kind === 'sse') return new SSEClientTransport(new URL(target.url));
  const { command, args, cwd, env } = target;
  return new StdioClientTransport({
    command,
    args: [...args],
    cwd,
    ...(env && { env: { ...env } }),
    stderr: 'ignore',
  });
}

function send(client: Client, { method, params = {} }: Ask): Promise<object> {
  switch (method) {
    case 'tools/list':
      return client.listTools();
    case 'resources/list':
      return client.listResources();
    case 'resources/templates/list':
      return client.listResourceTemplates();
    case 'prompts/list':
      return client.listPrompts();
    case 'tools/call':
      return client.callTool(params as Parameters<Client['callTool']>[0]);
    case 'resources/read':
      return client.readResource(params as Parameters<Client['readResource']>[0]);
    case 'prompts/get':
      return client.getPrompt(params as Parameters<Client['getPrompt']>[0]);
    case 'completion/complete':
      return client.complete(params as Parameters<Client['complete']>[0]);
  }
}

/** Connects a client of the official SDK's second major version; the caller closes it. */
export async function connectSecond(target: Target, mode: Mode): Promise<Client> {
  const client = new Client({ name: 'interop', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(transportTo(target));
  return client;
}

export function sdkSecond(mode: Mode): Peer {
  return {
    name: `SDK v2, ${typeof mode === 'string' ? mode : mode.pin}`,
    reaches: ['stdio', 'http', 'sse'],
    async run(target, asks) {
      const client = await connectSecond(target, mode);
      try {
        const answers = [];
        for (const ask of asks) answers.push(await answerOf(() => send(client, ask)));
        return { era: client.getProtocolEra() ?? 'legacy', answers };
      } finally {
        await client.close();
      }
    },
  };
}
