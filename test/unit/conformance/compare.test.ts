import { describe, expect, it } from 'vitest';
import { totalsOf, type Check, type CheckStatus } from '../../conformance/checks.ts';
import { compareRuns, failuresOf } from '../../conformance/compare.ts';
import { verifies } from '../../requirements/conformance.ts';

const check = (id: string, status: CheckStatus, scenario = 'tools-list'): Check => ({
  scenario,
  id,
  status,
  message: `${id} is ${status}`,
});

describe('comparing two runs of the suite', () => {
  it(verifies('conformance:harness:worst-status'), () => {
    const direct = [check('repeated', 'SUCCESS'), check('repeated', 'SUCCESS')];
    const through = [
      check('repeated', 'SUCCESS'),
      check('repeated', 'WARNING'),
      check('repeated', 'SUCCESS'),
    ];
    expect(compareRuns(direct, through)).toEqual([
      {
        scenario: 'tools-list',
        id: 'repeated',
        direct: 'SUCCESS',
        through: 'WARNING',
        message: 'repeated is WARNING',
      },
    ]);
  });

  it('finds nothing when the same checks pass a different number of times', () => {
    expect(compareRuns([check('a', 'SUCCESS')], [check('a', 'SUCCESS'), check('a', 'SUCCESS')])).toEqual([]);
  });

  it('finds a check that is gone', () => {
    const [finding] = compareRuns([check('a', 'SUCCESS'), check('b', 'SUCCESS')], [check('a', 'SUCCESS')]);
    expect(finding).toMatchObject({ id: 'b', direct: 'SUCCESS', through: undefined });
  });

  it('tells the same check of two scenarios apart', () => {
    const direct = [check('schema', 'SUCCESS', 'one'), check('schema', 'SUCCESS', 'two')];
    const through = [check('schema', 'FAILURE', 'one'), check('schema', 'SUCCESS', 'two')];
    expect(compareRuns(direct, through).map(({ scenario }) => scenario)).toEqual(['one']);
  });

  it('finds a check that no longer judges anything', () => {
    expect(compareRuns([check('a', 'SUCCESS')], [check('a', 'INFO')])).toHaveLength(1);
    expect(compareRuns([check('a', 'SUCCESS')], [check('a', 'SKIPPED')])).toHaveLength(1);
  });

  it('finds a failing check that the direct run does not have, and no passing one', () => {
    const through = [check('new', 'FAILURE'), check('other', 'SUCCESS'), check('fact', 'INFO')];
    expect(compareRuns([], through).map(({ id }) => id)).toEqual(['new']);
  });

  it('finds nothing where the gateway does better', () => {
    expect(compareRuns([check('a', 'WARNING')], [check('a', 'SUCCESS')])).toEqual([]);
  });

  it('names the failures of one run whatever another one says', () => {
    const checks = [
      check('a', 'WARNING'),
      check('b', 'SKIPPED'),
      check('c', 'FAILURE'),
      check('d', 'SUCCESS'),
    ];
    expect(failuresOf(checks).map(({ id }) => id)).toEqual(['a', 'c']);
  });
});

describe('the totals of a run', () => {
  it('count scenarios once and every check, facts left out', () => {
    const checks = [
      check('a', 'SUCCESS', 'one'),
      check('a', 'SUCCESS', 'one'),
      check('b', 'INFO', 'one'),
      check('c', 'WARNING', 'two'),
      check('d', 'FAILURE', 'two'),
      check('e', 'SKIPPED', 'two'),
    ];
    expect(totalsOf(checks)).toEqual({ scenarios: 2, ok: 2, failing: 2, skipped: 1 });
  });
});
