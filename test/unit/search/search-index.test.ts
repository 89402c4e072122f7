import { describe, expect, it } from 'vitest';
import { createSearchIndex } from '../../../src/search/index.ts';
import { verifies } from '../../requirements/search.ts';
import { indexOf, keysFor, tool } from './tools.ts';

const crm = [
  tool('crm', 'addPerson', 'Add a person to the address book'),
  tool('crm', 'appTableRecord_search', 'Search records of a table'),
  tool('files', 'XMLParser', 'Parse a document'),
  tool('draw', 'create_sphere', 'Create a sphere in the scene'),
  tool('tracker', 'list-issues', 'List issues of a project'),
  tool('tracker', 'create_issue', 'Create an issue in a project'),
  tool('tracker', 'create_issue_comment', 'Create a comment on an issue'),
];

describe('names', () => {
  it.each([
    ['create_issue', 'tracker__create_issue'],
    ['CREATE_ISSUE', 'tracker__create_issue'],
    ['tracker__create_issue', 'tracker__create_issue'],
    ['tracker/create_issue', 'tracker__create_issue'],
    ['createIssue', 'tracker__create_issue'],
    ['list_issues', 'tracker__list-issues'],
    ['addperson', 'crm__addPerson'],
    ['use tracker__create_issue_comment for it', 'tracker__create_issue_comment'],
  ])(`${verifies('search:names:exact-first')}: %s`, (query, key) => {
    const [hit] = indexOf(...crm).query({ queries: [query], limit: 3 }).hits;
    expect(hit).toMatchObject({ document: { key }, by: 'name' });
  });

  it.each([
    ['add person', 'crm__addPerson'],
    ['table record', 'crm__appTableRecord_search'],
    ['xml parser', 'files__XMLParser'],
    ['create sphere', 'draw__create_sphere'],
    ['issue list', 'tracker__list-issues'],
  ])(`${verifies('search:words:same-rules')}: %s`, (query, key) => {
    expect(keysFor(indexOf(...crm), query)[0]).toBe(key);
  });

  it('rank the whole name before its longer kin', () => {
    expect(keysFor(indexOf(...crm), 'create an issue')[0]).toBe('tracker__create_issue');
  });
});

describe('languages', () => {
  const tools = [
    tool('ru', 'zadacha', 'Создать задачу в проекте'),
    tool('fr', 'nouveau', 'Créer une tâche dans le projet'),
    tool('ja', 'mondai', '新しい問題を作成します'),
    tool('zh', 'tianqi', '查询城市的天气预报'),
    tool('de', 'loeschen', 'Löscht Einträge aus der Datenbank'),
    tool('en', 'wide', 'Ｆｕｌｌｗｉｄｔｈ letters'),
  ];

  it.each([
    ['создать задачу', 'ru__zadacha'],
    ['СОЗДАТЬ ЗАДАЧУ', 'ru__zadacha'],
    ['créer', 'fr__nouveau'],
    ['creer une tache', 'fr__nouveau'],
    ['問題を作成', 'ja__mondai'],
    ['天气', 'zh__tianqi'],
    ['löscht einträge', 'de__loeschen'],
    ['fullwidth', 'en__wide'],
    ['weather forecast', 'zh__tianqi'],
  ])(`${verifies('search:words:unicode')}: %s`, (query, key) => {
    expect(keysFor(indexOf(...tools), query)[0]).toBe(key);
  });

  it('meet in English: a Chinese question finds an English tool', () => {
    const index = indexOf(
      tool('w', 'forecast', 'Weather forecast for a city'),
      tool('m', 'send', 'Send mail'),
    );
    expect(keysFor(index, '天气预报')).toEqual(['w__forecast']);
  });
});

describe('words', () => {
  it(verifies('search:words:whole'), () => {
    const index = indexOf(
      tool('a', 'breakdown', 'Shows category totals'),
      tool('b', 'catalog', 'Lists books'),
    );
    expect(keysFor(index, 'cat')).not.toContain('a__breakdown');
    expect(keysFor(index, 'down')).toEqual([]);
  });

  it('of parameters are found too', () => {
    const schema = {
      type: 'object',
      properties: { iban: { type: 'string', description: 'The account to be credited' } },
    };
    const index = indexOf(
      tool('bank', 'transfer', 'Moves money', schema),
      tool('bank', 'statement', 'Shows lines'),
    );
    expect(keysFor(index, 'iban')).toEqual(['bank__transfer']);
    expect(keysFor(index, 'credited')).toEqual(['bank__transfer']);
  });

  it('find tools that use others for the same thing', () => {
    const index = indexOf(
      tool('store', 'remove_entry', 'Removes an entry'),
      tool('store', 'read_entry', 'Reads an entry'),
    );
    expect(keysFor(index, 'delete a record')[0]).toBe('store__remove_entry');
  });
});

describe('a query that matches nothing', () => {
  it.each(['xyzzy plugh qwertzuiop', '', '   ', '!!! ??? ---', 'фывапролдж'])(
    `${verifies('search:nothing:says-what-there-is')}: "%s"`,
    (query) => {
      expect(indexOf(...crm).query({ queries: [query], limit: 5 })).toEqual({
        hits: [],
        servers: [
          { server: 'crm', tools: 2 },
          { server: 'files', tools: 1 },
          { server: 'draw', tools: 1 },
          { server: 'tracker', tools: 3 },
        ],
        unanswered: [0],
      });
    },
  );

  it('may be ten thousand characters long', () => {
    expect(keysFor(indexOf(...crm), 'zzz '.repeat(2_500))).toEqual([]);
    expect(keysFor(indexOf(...crm), `${'zzz '.repeat(300)}sphere`)).toEqual(['draw__create_sphere']);
  });

  it('is named among others that match', () => {
    const { unanswered, hits, servers } = indexOf(...crm).query({ queries: ['sphere', 'qqqq'], limit: 5 });
    expect(unanswered).toEqual([1]);
    expect(hits).toHaveLength(1);
    expect(servers).toEqual([]);
  });
});

describe('spelling', () => {
  it(verifies('search:typos:second-pass'), () => {
    const index = indexOf(...crm);
    expect(index.query({ queries: ['shpere'], limit: 1 }).hits[0]).toMatchObject({
      document: { key: 'draw__create_sphere' },
      by: 'spelling',
    });
    expect(keysFor(index, 'spher')[0]).toBe('draw__create_sphere');
    expect(keysFor(index, 'shpere comment')).not.toContain('draw__create_sphere');
  });
});

describe('what the caller may not see', () => {
  it(verifies('search:visibility:hidden-not-found'), () => {
    const index = indexOf(...crm);
    const isVisible = ({ server }: { server: string }): boolean => server !== 'tracker';
    for (const query of ['create_issue', 'tracker__create_issue', 'comment on an issue', 'isue coment']) {
      const { hits, servers } = index.query({ queries: [query], limit: 10, isVisible });
      expect(hits.filter(({ document }) => document.server === 'tracker')).toEqual([]);
      expect(servers.map(({ server }) => server)).not.toContain('tracker');
    }
  });

  it('leaves its twin to be found', () => {
    const index = indexOf(
      tool('one', 'get_time', 'Tells the current time in a zone'),
      tool('two', 'get_time', 'Tells the current time in a zone'),
    );
    const { hits } = index.query({
      queries: ['current time'],
      limit: 5,
      isVisible: ({ server }) => server === 'two',
    });
    expect(hits).toMatchObject([{ document: { key: 'two__get_time' }, twins: [] }]);
  });
});

describe('the list', () => {
  it(verifies('search:twins:collapsed'), () => {
    const text = 'Returns the current price of a stock by its ticker symbol';
    const index = indexOf(
      tool('alpha', 'get_stock_price', text),
      tool('beta', 'getStockPrice', `${text}.`),
      tool('gamma', 'get_stock_price', 'Sells shares through a broker after asking for a price limit'),
    );
    const { hits } = index.query({ queries: ['stock price by ticker'], limit: 5 });
    expect(hits.map(({ document, twins }) => [document.key, twins.map(({ key }) => key)])).toEqual([
      ['alpha__get_stock_price', ['beta__getStockPrice']],
      ['gamma__get_stock_price', []],
    ]);
  });

  it(verifies('search:servers:no-crowding'), () => {
    const giant = Array.from({ length: 300 }, (_, at) =>
      tool('giant', `message_${at}_tool`, `Send a message of kind ${at} to a channel`),
    );
    const others = [
      tool('chat', 'message_any_tool', 'Send a message of any kind to a channel'),
      tool('mail', 'message_tool', 'Write to the channel that a message came from'),
    ];
    const keys = keysFor(indexOf(...giant, ...others), 'message channel', 10);
    expect(keys).toHaveLength(10);
    expect(keys).toEqual(expect.arrayContaining(['chat__message_any_tool', 'mail__message_tool']));
  });

  it(verifies('search:queries:take-turns'), () => {
    const { hits } = indexOf(...crm).query({ queries: ['create sphere', 'create issue'], limit: 4 });
    expect(hits.map(({ query }) => query).slice(0, 2)).toEqual([0, 1]);
    expect(hits.slice(0, 2).map(({ document }) => document.key)).toEqual([
      'draw__create_sphere',
      'tracker__create_issue',
    ]);
    expect(new Set(hits.map(({ document }) => document.key)).size).toBe(hits.length);
  });

  it('holds no more than the limit, and one server alone when asked', () => {
    const index = indexOf(...crm);
    expect(keysFor(index, 'create issue', 1)).toHaveLength(1);
    const { hits } = index.query({ queries: ['create'], server: 'TRACKER', limit: 10 });
    expect(hits.map(({ document }) => document.server)).toEqual(['tracker', 'tracker']);
  });

  it('is the same for the same words, whatever was indexed before', () => {
    const detour = createSearchIndex();
    detour.update([tool('gone', 'sphere_issue', 'Create nothing'), ...crm.toReversed()]);
    detour.update(crm);
    const request = { queries: ['create an issue comment'], limit: 10 };
    expect(detour.query(request)).toEqual(indexOf(...crm).query(request));
    const nonsense = { queries: ['xyzzy'], limit: 10 };
    expect(detour.query(nonsense)).toEqual(indexOf(...crm).query(nonsense));
  });
});

describe('proven tools', () => {
  it(verifies('search:priors:near-ties-only'), () => {
    const index = indexOf(
      tool('one', 'send_note', 'Send a note to a person'),
      tool('two', 'send_notes', 'Send notes to a person'),
      tool('three', 'list_people', 'List every person'),
    );
    const request = { queries: ['send a note to a person'], limit: 3 };
    const keys = (successes?: ReadonlyMap<string, number>): string[] =>
      index
        .query({ ...request, ...(successes === undefined ? {} : { successes }) })
        .hits.map(({ document }) => document.key);
    expect(keys()[0]).toBe('one__send_note');
    expect(keys(new Map([['two__send_notes', 40]]))[0]).toBe('two__send_notes');
    expect(keys(new Map([['three__list_people', 1_000_000]])).at(-1)).toBe('three__list_people');
  });
});

describe('why', () => {
  it('names the words of the query that a tool says, as typed', () => {
    const index = indexOf(...crm);
    expect(index.matched('Please make spheres for the XMLParser', 'draw__create_sphere')).toEqual([
      'make',
      'spheres',
    ]);
    expect(index.matched('sphere', 'nobody__knows')).toEqual([]);
  });
});
