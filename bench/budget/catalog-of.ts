import { createSnapshotBuilder } from '../../src/catalog/build-snapshot.ts';
import type { Snapshot } from '../../src/catalog/index.ts';
import { prefixOf } from '../../src/catalog/qualify.ts';
import { serverId } from '../../src/domain/index.ts';

/** One server with its tools, as a file of definitions holds it. */
export interface ToolServer {
  readonly server: string;
  readonly tools: readonly object[];
}

const MAX_NAME = 48;

/** The snapshot of servers that list these tools. */
export const snapshotOf = (servers: readonly ToolServer[]): Snapshot =>
  createSnapshotBuilder({ nameMaxLength: MAX_NAME }).build(
    1,
    servers.map(({ server, tools }) => ({
      definitions: {
        entries: tools.map((tool) => ({ kind: 'tool' as const, json: Buffer.from(JSON.stringify(tool)) })),
        complete: true,
        diagnostics: [],
      },
      view: {
        id: serverId(server),
        namespace: server,
        namePrefix: prefixOf(server, MAX_NAME),
        instructions: undefined,
        capabilities: { tools: {} },
        isListed: true,
        isComplete: true,
        trouble: undefined,
      },
    })),
  );
