import { createSnapshotBuilder, type ServerInput } from '../../../src/catalog/build-snapshot.ts';
import type { Snapshot } from '../../../src/catalog/index.ts';
import { prefixOf } from '../../../src/catalog/qualify.ts';
import { serverId, type ServerId } from '../../../src/domain/index.ts';
import { type Declared, definitionsOf } from './fake-server.ts';

export const MAX_NAME = 48;
export const everyServer = (): boolean => true;
export const only =
  (...ids: readonly string[]) =>
  (server: ServerId): boolean =>
    ids.includes(server);

export interface Described {
  readonly id: string;
  /** The id, unless it is given. */
  readonly namespace?: string;
  /** Undefined for a server that has not answered. */
  readonly lists?: Declared | undefined;
  readonly capabilities?: Readonly<Record<string, unknown>>;
}

export function inputOf({ id, namespace = id, lists, capabilities = { tools: {} } }: Described): ServerInput {
  return {
    definitions: lists === undefined ? undefined : definitionsOf(lists),
    view: {
      id: serverId(id),
      namespace,
      namePrefix: prefixOf(namespace, MAX_NAME),
      instructions: undefined,
      capabilities,
      isListed: lists !== undefined,
      isComplete: lists !== undefined,
      trouble: undefined,
    },
  };
}

/** The snapshot of these servers, in configuration order. */
export const snapshotOf = (...servers: readonly Described[]): Snapshot =>
  createSnapshotBuilder({ nameMaxLength: MAX_NAME }).build(1, servers.map(inputOf));
