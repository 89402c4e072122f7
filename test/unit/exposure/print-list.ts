import { createSnapshotBuilder } from '../../../src/catalog/build-snapshot.ts';
import { createLists } from '../../../src/exposure/index.ts';
import { createPolicy } from '../../../src/policy/index.ts';
import { tool } from '../catalog/fake-server.ts';
import { inputOf, MAX_NAME } from '../catalog/snapshots.ts';
import { policyConfig } from '../policy/config.ts';

// Prints a list of names that locales order, fold and compare in different ways.
const names = ['zeta', 'Zeta', 'ähnlich', 'I', 'ı', 'İ', 'i', 'ß', '10', '9', 'a_b', 'a-b', 'aB'];
const lists = { tool: names.map((name) => tool(name)) };
const snapshot = createSnapshotBuilder({ nameMaxLength: MAX_NAME }).build(1, [inputOf({ id: 's', lists })]);
const policy = createPolicy(policyConfig([{ id: 's' }]));
const body = createLists({ policy, serverInfoText: '{}', tokenizer: 'o200k_base' }).list(
  { id: 'someone', profile: 'default' },
  snapshot,
  'tool',
  'modern',
);
process.stdout.write(body.resultText);
