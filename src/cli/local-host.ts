import {
  ANONYMOUS,
  type GatewayError,
  LISTS,
  MODERN_VERSIONS,
  type DefinitionKind,
} from '../domain/index.ts';
import { errorAnswer } from '../downstream/index.ts';
import type { Gateway } from '../gateway.ts';
import type { Exchange, HostRequest } from '../routing/index.ts';
import { scanFrame, requestFrame } from '../wire/index.ts';

/** What the gateway answered to a one-shot request. */
export type Answer =
  | { readonly ok: true; readonly result: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly code: number; readonly message: string; readonly data: unknown };

/** A host inside the process: its requests pass the same policy, exposure and routing as any other's. */
export interface LocalHost {
  request(method: string, params: Readonly<Record<string, unknown>>): Promise<Answer>;
  list(kind: DefinitionKind): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

const ID_TEXT = '1';

export function createLocalHost(gateway: Gateway, profile: string, version: string): LocalHost {
  const protocolVersion = MODERN_VERSIONS[0] ?? '';
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': protocolVersion,
    'io.modelcontextprotocol/clientInfo': { name: 'tollgate-cli', version },
    'io.modelcontextprotocol/clientCapabilities': {},
  };

  const request = (method: string, params: Readonly<Record<string, unknown>>): Promise<Answer> => {
    const all = { ...params, _meta: envelope };
    const frame = scanFrame(Buffer.from(requestFrame(ID_TEXT, method, JSON.stringify(all))));
    const hostRequest: HostRequest = {
      host: {
        principal: { id: ANONYMOUS, profile },
        era: 'modern',
        protocolVersion,
        capabilities: {},
        clientInfo: envelope['io.modelcontextprotocol/clientInfo'],
        sessionKey: undefined,
        logLevel: undefined,
      },
      frame,
      method,
      idText: ID_TEXT,
      params: all,
      paramsSpan: frame.members.get('params'),
      headerOf: undefined,
    };
    return new Promise((resolve) => {
      gateway.methods.serve(hostRequest, collectingExchange(resolve), undefined);
    });
  };

  return {
    request,
    list: async (kind) => {
      const answer = await request(LISTS[kind].method, {});
      if (!answer.ok) throw new Error(answer.message);
      return answer.result[LISTS[kind].member] as readonly Readonly<Record<string, unknown>>[];
    },
  };
}

function collectingExchange(resolve: (answer: Answer) => void): Exchange {
  const parts: Buffer[] = [];
  const finish = (frame: Buffer): void => resolve(read(frame));
  return {
    notes: {},
    message: () => undefined,
    ask: () => false,
    respond: finish,
    respondStart: () => undefined,
    respondChunk: (chunk) => {
      parts.push(chunk);
      return true;
    },
    respondEnd: () => finish(Buffer.concat(parts)),
    fail: (error: GatewayError) => finish(Buffer.from(errorAnswer(error, ID_TEXT, 'modern').body)),
    onCancel: () => undefined,
    onDrain: () => undefined,
    rest: () => undefined,
  };
}

function read(frame: Buffer): Answer {
  const message = JSON.parse(frame.toString('utf8')) as {
    result?: Record<string, unknown>;
    error?: { code: number; message: string; data?: unknown };
  };
  if (message.error !== undefined) {
    const { code, message: text, data } = message.error;
    return { ok: false, code, message: text, data };
  }
  return { ok: true, result: message.result ?? {} };
}
