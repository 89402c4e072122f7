import { createChanges } from './changes.ts';
import { createStore } from './open-store.ts';
import type { Store, StoreDeps } from './store.ts';
import type { Priority, Resolution } from './ticket.ts';

interface SeedTicket {
  hoursAgo: number;
  title: string;
  body: string;
  team: string;
  priority: Priority;
  assignee?: string;
  labels: string[];
  comments?: [author: string, body: string][];
  closed?: Resolution;
}

const tickets: SeedTicket[] = [
  {
    hoursAgo: 900,
    title: 'Checkout fails for baskets with more than 99 items',
    body: 'The order service answers 400 when the quantity column has three digits. Reported by two wholesale customers; both split their order as a workaround.',
    team: 'billing',
    priority: 'high',
    assignee: 'ana',
    labels: ['bug', 'checkout'],
    comments: [
      ['ana', 'Reproduced. The validator still has the limit from the retail launch.'],
      ['mikkel', 'Wholesale asks for 5,000. Please keep a limit, just a higher one.'],
    ],
  },
  {
    hoursAgo: 860,
    title: 'Invoice PDF shows the wrong time zone',
    body: 'Invoices issued late in the evening carry the date of the following day for customers west of UTC.',
    team: 'billing',
    priority: 'normal',
    assignee: 'ravi',
    labels: ['bug', 'invoices'],
  },
  {
    hoursAgo: 820,
    title: 'Login page rejects addresses with a plus sign',
    body: 'name+tag@example.org is refused as malformed although the sign-up form accepts it.',
    team: 'web',
    priority: 'high',
    assignee: 'lea',
    labels: ['bug', 'login'],
    comments: [['lea', 'Two patterns in two places. Both now use the one in the shared module.']],
    closed: 'fixed',
  },
  {
    hoursAgo: 800,
    title: 'Session expires while a long form is being filled in',
    body: 'People lose up to twenty minutes of typing. Extending the session on input would be enough.',
    team: 'web',
    priority: 'normal',
    labels: ['login', 'usability'],
  },
  {
    hoursAgo: 720,
    title: 'Push notifications arrive twice on Android 16',
    body: 'Both the old and the new registration token of a device stay active after an update of the app.',
    team: 'mobile',
    priority: 'high',
    assignee: 'tomas',
    labels: ['android', 'bug'],
    comments: [['tomas', 'The server should drop the older token when the installation id is the same.']],
  },
  {
    hoursAgo: 700,
    title: 'Dark mode: text in the date picker cannot be read',
    body: 'Grey on grey, contrast 1.6. The picker ignores the theme of its container.',
    team: 'mobile',
    priority: 'low',
    labels: ['accessibility', 'design'],
  },
  {
    hoursAgo: 640,
    title: 'Nightly backup takes longer than the night',
    body: 'The full copy started at 01:00 and was still running at 07:30. Incremental copies would take minutes.',
    team: 'platform',
    priority: 'urgent',
    assignee: 'ines',
    labels: ['backup', 'operations'],
    comments: [
      ['ines', 'First incremental run: 11 minutes. Restore is tested on Thursday.'],
      ['ana', 'Billing closes the month on Friday, so Thursday must hold.'],
    ],
  },
  {
    hoursAgo: 600,
    title: 'Disk of the log host fills up every ten days',
    body: 'Debug level was left on for the import job. Rotation keeps thirty files regardless of their size.',
    team: 'platform',
    priority: 'normal',
    assignee: 'ines',
    labels: ['operations'],
    closed: 'fixed',
  },
  {
    hoursAgo: 560,
    title: 'Search returns nothing for words with an umlaut',
    body: 'Queries are folded to ASCII, the index is not. "Müller" finds nothing; "Muller" finds nothing either.',
    team: 'web',
    priority: 'normal',
    assignee: 'lea',
    labels: ['bug', 'search'],
  },
  {
    hoursAgo: 500,
    title: 'Search is slow on the first query of the day',
    body: 'The cache is empty after the nightly restart; the first visitor waits four seconds.',
    team: 'web',
    priority: 'low',
    labels: ['performance', 'search'],
  },
  {
    hoursAgo: 460,
    title: 'Customer asks for a copy of all personal data',
    body: 'Request received by post. The answer is due within thirty days.',
    team: 'support',
    priority: 'high',
    assignee: 'mikkel',
    labels: ['privacy'],
    comments: [['mikkel', 'Export from the shop is done. Waiting for the newsletter system.']],
  },
  {
    hoursAgo: 420,
    title: 'Refund was paid out twice',
    body: 'The payment provider repeated its webhook after a timeout and the handler has no key against repetition.',
    team: 'billing',
    priority: 'urgent',
    assignee: 'ravi',
    labels: ['bug', 'payments'],
    comments: [
      [
        'ravi',
        'Three refunds in total, all found by comparing amounts. The handler now stores the event id.',
      ],
    ],
    closed: 'fixed',
  },
  {
    hoursAgo: 380,
    title: 'Webhook signatures are not verified in staging',
    body: 'The check is skipped when the secret is empty, and in staging it is empty.',
    team: 'billing',
    priority: 'normal',
    labels: ['payments', 'security'],
  },
  {
    hoursAgo: 340,
    title: 'App crashes when the camera permission is revoked',
    body: 'Revoking it in the system settings while the scanner is open ends the app without a message.',
    team: 'mobile',
    priority: 'high',
    labels: ['bug', 'camera'],
  },
  {
    hoursAgo: 300,
    title: 'Certificate of the status page expires this month',
    body: 'It is the only host outside the automatic renewal.',
    team: 'platform',
    priority: 'high',
    assignee: 'ines',
    labels: ['operations', 'security'],
    closed: 'fixed',
  },
  {
    hoursAgo: 260,
    title: 'Keyboard focus is lost after closing a dialog',
    body: 'Focus goes to the top of the page. It should return to the button that opened the dialog.',
    team: 'web',
    priority: 'normal',
    labels: ['accessibility'],
  },
  {
    hoursAgo: 220,
    title: 'Import of supplier prices stops at the first bad row',
    body: 'One missing price keeps 40,000 good rows from being imported. Bad rows should be reported and skipped.',
    team: 'platform',
    priority: 'normal',
    assignee: 'tomas',
    labels: ['import'],
  },
  {
    hoursAgo: 180,
    title: 'Prices with a decimal comma are read as thousands',
    body: '"12,50" became 1250. Only the files of one supplier are affected.',
    team: 'platform',
    priority: 'urgent',
    labels: ['bug', 'import'],
    comments: [['ana', 'Wrong prices were live for an hour; nobody ordered.']],
  },
  {
    hoursAgo: 140,
    title: 'Scanner does not read codes on curved bottles',
    body: 'Works on cartons. A second attempt with a narrower field of view usually succeeds.',
    team: 'mobile',
    priority: 'low',
    labels: ['camera'],
    closed: 'cannot_reproduce',
  },
  {
    hoursAgo: 100,
    title: 'Support form accepts files of any size',
    body: 'A 2 GB video filled the upload volume. Ten megabytes would do for every attachment so far.',
    team: 'support',
    priority: 'high',
    assignee: 'lea',
    labels: ['security', 'upload'],
  },
  {
    hoursAgo: 72,
    title: 'Order confirmation is sent from a no-reply address',
    body: 'Customers answer these mails and wonder why nobody reacts.',
    team: 'support',
    priority: 'low',
    labels: ['mail'],
  },
  {
    hoursAgo: 48,
    title: 'Checkout button does nothing while the basket is being saved',
    body: 'It is disabled without any sign of it, for up to three seconds on a slow connection.',
    team: 'web',
    priority: 'normal',
    labels: ['checkout', 'usability'],
  },
  {
    hoursAgo: 30,
    title: 'Checkout: button stays inactive',
    body: 'After changing the quantity the button to pay cannot be clicked for some seconds.',
    team: 'web',
    priority: 'normal',
    labels: ['checkout'],
    closed: 'duplicate',
  },
  {
    hoursAgo: 6,
    title: 'Load balancer keeps sending requests to a stopping server',
    body: 'Deployments cause about forty errors each. The health check should fail before the server stops.',
    team: 'platform',
    priority: 'high',
    labels: ['deployment', 'operations'],
  },
];

const HOUR_MS = 3_600_000;

/**
 * Fills an empty store with the demo tickets. Times count back from now, so that reports over the last days have
 * something to say whenever the demo is shown.
 */
export function createDemoStore(deps: StoreDeps): Store {
  const clock = { shiftMs: 0 };
  const startedAt = deps.now().getTime();
  const seeding = { done: false };
  const store = createStore({
    file: deps.file,
    now: () => (seeding.done ? deps.now() : new Date(startedAt + clock.shiftMs)),
    // Nobody is connected yet, so nobody is told about the demo data.
    changes: { ...createChanges(), publish: (change) => void (seeding.done && deps.changes.publish(change)) },
  });
  for (const seed of tickets) {
    clock.shiftMs = -seed.hoursAgo * HOUR_MS;
    const { id } = store.create(seed);
    for (const [author, body] of seed.comments ?? []) {
      clock.shiftMs += HOUR_MS;
      store.comment(id, author, body);
    }
    if (seed.closed !== undefined) {
      clock.shiftMs += 2 * HOUR_MS;
      store.close(id, seed.closed);
    }
  }
  seeding.done = true;
  return store;
}
