import { describe, expect, it } from 'vitest';
import { createUriLabels } from '../../../src/catalog/uri-labels.ts';
import { serverId } from '../../../src/domain/index.ts';

const labelsOf = (...servers: readonly (readonly [string, string])[]): ReturnType<typeof createUriLabels> =>
  createUriLabels(servers.map(([id, namespace]) => ({ id: serverId(id), namespace })));

describe('the labels of servers in marked URIs', () => {
  it('are the namespaces, read back in any case', () => {
    const labels = labelsOf(['Notes', 'Notes'], ['files', 'fs']);
    expect(labels.of(serverId('Notes'))).toBe('Notes');
    expect(labels.of(serverId('files'))).toBe('fs');
    expect(labels.serverOf('notes')).toBe('Notes');
    expect(labels.serverOf('FS')).toBe('files');
    expect(labels.serverOf('files')).toBeUndefined();
    expect(labels.serverOf('')).toBeUndefined();
  });

  it('stay apart where namespaces differ in case alone, for an authority has none', () => {
    const labels = labelsOf(['Foo', 'Foo'], ['foo', 'foo']);
    const [upper, lower] = [labels.of(serverId('Foo')), labels.of(serverId('foo'))];
    expect(upper.toLowerCase()).not.toBe(lower.toLowerCase());
    expect(labels.serverOf(upper.toLowerCase())).toBe('Foo');
    expect(labels.serverOf(lower)).toBe('foo');
  });

  it('of a server without a namespace come from its id, and never take those of another', () => {
    const alone = labelsOf(['My Server!', ''], ['x', 'x']);
    expect(alone.of(serverId('My Server!'))).toBe('My-Server-');
    const taken = labelsOf(['notes', ''], ['other', 'NOTES']);
    expect(taken.of(serverId('other'))).toBe('NOTES');
    expect(taken.of(serverId('notes'))).toMatch(/^notes-[0-9a-f]{8}$/);
    expect(taken.serverOf('notes')).toBe('other');
  });
});
