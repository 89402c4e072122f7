import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { expandReferences } from '../../../src/config/references.ts';
import { verifies } from '../../requirements/config.ts';

const VALUES = new Map([
  ['NAME', 'value'],
  ['EMPTY', ''],
  ['TOKEN', 'hidden-value'],
  ['API_KEY', 'key-value'],
]);
const expand = (text: string) => expandReferences(text, (name) => VALUES.get(name));

describe('expandReferences', () => {
  it.each([
    ['plain', 'plain'],
    ['${NAME}', 'value'],
    ['a${NAME}b${NAME}', 'avaluebvalue'],
    ['${env:NAME}', 'value'],
    ['${input:api-key}', 'key-value'],
    ['${MISSING:-default}', 'default'],
    ['${MISSING:-}', ''],
    ['${EMPTY}', ''],
    ['${EMPTY:-default}', 'default'],
    ['${NAME:-default}', 'value'],
    ['${A:-${B:-${NAME}}}', 'value'],
    ['${A:-a:-b}', 'a:-b'],
    ['${A:-$${x}}', '${x}'],
    ['$$', '$'],
    ['$$$$', '$$'],
    ['$${NAME}', '${NAME}'],
    ['$$${NAME}', '$value'],
    ['$NAME 5$ $(x)', '$NAME 5$ $(x)'],
    ['line\n${NAME}', 'line\nvalue'],
  ])('turns %j into %j', (text, expected) => {
    expect(expand(text)).toMatchObject({ text: expected, missing: [], faults: [] });
  });

  it('tells which variables went into a text', () => {
    expect(expand('${NAME}/${MISSING:-${TOKEN}}').used).toEqual([
      { name: 'NAME', value: 'value' },
      { name: 'TOKEN', value: 'hidden-value' },
    ]);
  });

  it('does not look at a default that is not needed', () => {
    expect(expand('${NAME:-${MISSING}}')).toMatchObject({ text: 'value', missing: [] });
  });

  it(verifies('config:references:missing-named'), () => {
    const { missing, faults } = expand('${ONE} ${TOKEN} ${env:TWO} ${input:three-four}');
    expect(missing).toEqual(['ONE', 'TWO', 'THREE_FOUR']);
    expect(JSON.stringify([missing, faults])).not.toContain('hidden-value');
  });

  it.each(['${', '${NAME', '${}', '${1A}', '${A B}', '${command:pick}', '${A-b}', '${A:-${B}'])(
    'refuses %j, which is no reference',
    (text) => {
      const { faults } = expand(text);
      expect(faults).toHaveLength(1);
      expect(faults[0]?.fix).toContain('$${');
    },
  );

  it('leaves every text as it is whose dollars are doubled', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(expand(text.replaceAll('$', '$$$$'))).toEqual({ text, used: [], missing: [], faults: [] });
      }),
    );
  });
});
