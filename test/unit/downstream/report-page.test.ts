import { describe, expect, it } from 'vitest';

import type { Report, ReportQuery } from '../../../src/accounting/index.ts';
import { createReportPage } from '../../../src/downstream/report-page.ts';
import { verifies } from '../../requirements/accounting.ts';

const NOW = Date.UTC(2026, 10, 30, 12);
const EMPTY: Omit<Report, 'by'> = {
  tokenizers: ['o200k_base'],
  since: null,
  first: null,
  last: null,
  unrecorded: 0,
  rows: [],
  groupsLeftOut: 0,
};

describe('createReportPage', () => {
  it(verifies('accounting:report:page'), async () => {
    const asked: ReportQuery[] = [];
    const waiting: (() => void)[] = [];
    const page = createReportPage(
      (query) => {
        asked.push(query);
        return new Promise((resolve) => waiting.push(() => resolve({ ...EMPTY, by: query.by })));
      },
      () => NOW,
    );
    const answers = ['/report.json', '/report.json', '/report.json?since=24h&by=tool'].map(page);
    expect(asked).toEqual([{ by: 'total' }, { by: 'tool', since: NOW - 86_400_000 }]);
    waiting.splice(0).forEach((answer) => answer());
    const [first, second, third] = await Promise.all(answers);
    expect([first?.status, third?.status]).toEqual([200, 200]);
    expect(second).toBe(first);
    expect(JSON.parse(third?.body ?? '')).toMatchObject({ by: 'tool', rows: [] });
    void page('/report.json');
    expect(asked).toHaveLength(3);

    const faults = await Promise.all(
      ['?by=country', '?since=yesterday', '?form=csv', '?by=day&by=tool', '?by=', '?since='].map((query) =>
        page(`/report.json${query}`),
      ),
    );
    expect(faults.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400]);
    expect(faults.map(({ body }) => (JSON.parse(body) as { error: string }).error)).toEqual([
      'by must be one of total, server, tool, client, principal, day.',
      'since must be a time span such as 30m, 24h, 7d or 2w, or a date such as 2026-11-30.',
      '"form" is not known here; use since and by.',
      'by is given more than once.',
      'by must be one of total, server, tool, client, principal, day.',
      'since must be a time span such as 30m, 24h, 7d or 2w, or a date such as 2026-11-30.',
    ]);
    expect(asked).toHaveLength(3);
  });

  it('answers that the ledger cannot be read, without a word of the reason, and tries again', async () => {
    let isBroken = true;
    const page = createReportPage(({ by }) =>
      isBroken ? Promise.reject(new Error('/srv/secret/tollgate.db')) : Promise.resolve({ ...EMPTY, by }),
    );
    const broken = await page('/report.json');
    expect(broken.status).toBe(503);
    expect(broken.body).not.toContain('secret');
    isBroken = false;
    expect((await page('/report.json')).status).toBe(200);
  });
});
