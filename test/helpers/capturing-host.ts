import { modernBody, modernHeaders } from './hosts.ts';
import { exchange, type Message } from './raw-http.ts';

type Fields = Readonly<Record<string, unknown>>;

/** One request with its answer, as bytes. */
export interface Captured {
  readonly sent: string;
  readonly received: string;
}

export interface CapturingHost {
  readonly captured: readonly Captured[];
  ask(method: string, params?: Fields, profile?: string): Promise<Message>;
}

/** A host of the stateless era that keeps everything that went over the wire. */
export function capturingHost(origin: string): CapturingHost {
  const captured: Captured[] = [];
  return {
    captured,
    ask: async (method, params = {}, profile = '') => {
      const sent = modernBody(method, params);
      const answer = await exchange(`${origin}/mcp${profile}`, {
        headers: modernHeaders(method, params),
        body: sent,
      });
      captured.push({ sent, received: answer.body });
      return JSON.parse(answer.body) as Message;
    },
  };
}

/** A row of a report as its page gives it. */
export type ReportRow = Readonly<Record<string, number>> & { readonly group: string | null };

/** The rows of `/report.json`. */
export async function reportRows(origin: string, query = ''): Promise<readonly ReportRow[]> {
  const { status, body } = await exchange(`${origin}/report.json${query}`, { method: 'GET' });
  if (status !== 200) throw new Error(`no report: ${status} ${body}`);
  return (JSON.parse(body) as { readonly rows: readonly ReportRow[] }).rows;
}
