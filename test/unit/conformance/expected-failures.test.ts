import { describe, expect, it } from 'vitest';
import { type Finding } from '../../conformance/compare.ts';
import { judge, parseExpectedFailures } from '../../conformance/expected-failures.ts';
import { verifies } from '../../requirements/conformance.ts';

const finding = (scenario: string, id: string): Finding => ({
  scenario,
  id,
  direct: 'SUCCESS',
  through: 'FAILURE',
  message: '',
});

describe('expected failures', () => {
  it(verifies('conformance:harness:stale-entries'), () => {
    const verdict = judge([finding('caching', 'hints')], ['caching:hints', 'caching:scope', 'ping']);
    expect(verdict.unexpected).toEqual([]);
    expect(verdict.stale).toEqual(['caching:scope', 'ping']);
  });

  it('excuse one check, or every check of a scenario', () => {
    const findings = [finding('caching', 'hints'), finding('ping', 'empty'), finding('ping', 'schema')];
    const verdict = judge(findings, ['caching:other', 'ping']);
    expect(verdict.unexpected).toEqual([findings[0]]);
    expect(verdict.expected).toEqual([findings[1], findings[2]]);
  });

  it('are read for the face that is run', () => {
    const text = 'server: [caching:hints]\nclient:\n  - tools_call\n';
    expect(parseExpectedFailures(text, 'server', 'f.yaml')).toEqual(['caching:hints']);
    expect(parseExpectedFailures(text, 'client', 'f.yaml')).toEqual(['tools_call']);
    expect(parseExpectedFailures('server: []', 'client', 'f.yaml')).toEqual([]);
  });

  it.each([
    ['- caching', 'expected the keys server and client'],
    ['servers: []', 'unknown key servers'],
    ['server: caching', 'server must be a list'],
    ['server:\n  - caching: hints', 'without a space after the colon'],
  ])('refuse %j', (text, message) => {
    expect(() => parseExpectedFailures(text, 'server', 'f.yaml')).toThrow(message);
  });
});
