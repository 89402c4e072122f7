import { createHash } from 'node:crypto';

import { NAME_SEPARATOR } from './gateway-config.ts';
import type { Report } from './report.ts';
import type { Path } from './tree.ts';

// Longer than any name may be, so never of use; the catalog shortens what does not fit its names.
const MAX_LENGTH = 128;

/** A server whose namespace is to be settled. */
export interface NamespaceWish {
  readonly id: string;
  /** The `namespace` of the entry, where it has one. */
  readonly namespace: string | undefined;
  /** Hosts allow names that no namespace may have; theirs are cleaned, ours are refused. */
  readonly fromHost: boolean;
  readonly path: Path;
}

interface Fault {
  readonly message: string;
  readonly fix?: string;
}

function namespaceFault(namespace: string): Fault | undefined {
  if (namespace === '') return undefined;
  const bad = /[^A-Za-z0-9_-]/u.exec(namespace);
  if (bad !== null) return { message: `a namespace cannot hold ${JSON.stringify(bad[0])}`, fix: LETTERS };
  if (namespace.includes(NAME_SEPARATOR)) return { message: 'a namespace cannot hold "__"', fix: LETTERS };
  if (namespace.endsWith('_')) return { message: 'a namespace cannot end in "_"', fix: LETTERS };
  const message = `a namespace has at most ${MAX_LENGTH} characters`;
  return namespace.length > MAX_LENGTH ? { message } : undefined;
}

const LETTERS = 'use letters, digits, "-" and single "_"';

/** Deterministic: depends on the id alone. */
function cleaned(id: string): string {
  const plain = id.normalize('NFKD').replace(/\p{Mark}/gu, '');
  const text = plain.replace(/[^A-Za-z0-9-]+/g, '_').replace(/^_+|_+$/g, '');
  return text === '' ? 'server' : text;
}

const hashOf = (id: string, length: number): string =>
  createHash('sha256').update(id).digest('hex').slice(0, length);

/**
 * The namespace of every server by id. Wishes that break a rule or repeat another are problems; the
 * ids of host blocks are cleaned instead, and those that would meet another's get a hash of their id.
 */
export function settleNamespaces(
  wishes: readonly NamespaceWish[],
  report: Report,
): ReadonlyMap<string, string> {
  const settled = new Map<string, string>();
  const owners = new Map<string, string>();
  const isFree = (wish: NamespaceWish): boolean => wish.fromHost && wish.namespace === undefined;
  for (const wish of wishes) {
    if (isFree(wish)) continue;
    const namespace = wish.namespace ?? wish.id;
    const at = wish.namespace === undefined ? wish.path : [...wish.path, 'namespace'];
    const where = wish.namespace === undefined ? 'key' : 'value';
    const fault = namespaceFault(namespace);
    const owner = owners.get(namespace);
    if (fault !== undefined) {
      const fix = wish.namespace === undefined ? 'add a "namespace" to this server, or rename it' : fault.fix;
      report.problem(at, fault.message, { fix, at: where });
    } else if (owner !== undefined) {
      const what =
        namespace === '' ? 'only one server can have the empty namespace' : 'this namespace is taken';
      report.problem(at, `${what}; server ${JSON.stringify(owner)} has it`, { at: where });
    } else {
      owners.set(namespace, wish.id);
    }
    settled.set(wish.id, namespace);
  }
  settleHostIds(wishes.filter(isFree), owners, settled, report);
  return settled;
}

function settleHostIds(
  wishes: readonly NamespaceWish[],
  owners: Map<string, string>,
  settled: Map<string, string>,
  report: Report,
): void {
  const isLegal = ({ id }: NamespaceWish): boolean => namespaceFault(id) === undefined;
  // Legal ids first, so that a cleaned one never takes the name of a server that has it by right.
  for (const wish of wishes.filter((one) => isLegal(one) && !owners.has(one.id))) {
    owners.set(wish.id, wish.id);
    settled.set(wish.id, wish.id);
  }
  const others = wishes.filter(({ id }) => !settled.has(id));
  for (const { id, path } of others) {
    const plain = cleaned(id);
    const isAlone = others.every((other) => other.id === id || cleaned(other.id) !== plain);
    let namespace = isAlone ? plain : undefined;
    for (let length = 6; namespace === undefined || owners.has(namespace); length += 2) {
      namespace = `${plain}_${hashOf(id, length)}`;
    }
    owners.set(namespace, id);
    settled.set(id, namespace);
    report.notice(path, `names of this server begin with ${namespace}${NAME_SEPARATOR}`, 'key');
  }
}
