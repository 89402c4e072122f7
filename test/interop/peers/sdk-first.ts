import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { answerOf, type Answer, type Ask, type Peer, type Target } from '../ask.ts';

function transportTo(target: Target): Transport {
  if (target.kind !== 'stdio') return new StreamableHTTPClientTransport(new URL(target.url));
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

/** This client writes the code into the message of the errors that it throws; the server did not. */
function asSent(answer: Answer): Answer {
  if (!('error' in answer)) return answer;
  const prefix = `MCP error ${answer.error.code}: `;
  const { message } = answer.error;
  return message.startsWith(prefix)
    ? { error: { ...answer.error, message: message.slice(prefix.length) } }
    : answer;
}

/** The official SDK's first major version: a legacy client that shares no code with the gateway. */
export const sdkFirst: Peer = {
  name: 'SDK v1',
  reaches: ['stdio', 'http'],
  async run(target, asks) {
    const client = new Client({ name: 'interop', version: '1' });
    await client.connect(transportTo(target));
    try {
      const answers = [];
      for (const ask of asks) answers.push(asSent(await answerOf(() => send(client, ask))));
      return { era: 'legacy', answers };
    } finally {
      await client.close();
    }
  },
};
