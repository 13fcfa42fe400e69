import { EventEmitter } from 'node:events';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { FeedConfig } from '../../src/config/config.ts';
import type { UnreachableInbox } from '../../src/feeds/inbox/feed-inbox.ts';
import { watchInboxes, type InboxWatch } from '../../src/feeds/inbox/inbox.ts';
import type { RunReport } from '../../src/feeds/reporting/report.ts';
import { Dealership } from './dealership.ts';

// A folder on a network share: changes that another machine makes there raise no event here.
vi.mock('chokidar', () => ({
  watch: () => Object.assign(new EventEmitter(), { close: () => Promise.resolve() }),
}));

const CAR = 'stock,year,make,model,condition,list_price\nA1,2020,Honda,Civic,used,20000\n';

let dealership: Dealership;
let feed: FeedConfig;
let watch: InboxWatch | undefined;
beforeEach(async () => {
  dealership = await Dealership.open();
  feed = dealership.feed('aap', { settle_ms: 1, rescan_seconds: 1 });
});
afterEach(async () => {
  await watch?.stop();
  await dealership.close();
});

it('is taken in by the rescan alone', async () => {
  const reports: RunReport[] = [];
  const onRun = (report: RunReport): Promise<void> => Promise.resolve(void reports.push(report));
  const services = dealership.services({ clock: { now: () => Date.now() } });
  watch = watchInboxes([feed], services, { onRun });
  await watch.firstRound;
  for (const name of ['one.csv', 'two.csv']) {
    await writeFile(path.join(feed.folder, name), CAR);
    await vi.waitFor(() => expect(reports.at(-1)?.file.name).toBe(name), 20_000);
  }
  expect(reports.map(({ status }) => status)).toEqual(['ok', 'ok']);
});

it.each([
  ['is gone', 'ENOENT', () => Promise.resolve()],
  ['has become something else', 'ENOTDIR', () => writeFile(feed.folder, '')],
])(
  'that %s is told once, in the log and to who asks, and goes on when it is back',
  async (_how, code, instead) => {
    const told: UnreachableInbox[][] = [];
    watch = watchInboxes([feed], dealership.services(), { onReach: (found) => told.push(found) });
    await watch.scanNow();
    const away = `${feed.folder}-away`;
    await rename(feed.folder, away);
    await instead();
    await watch.scanNow();
    await watch.scanNow();
    await rm(feed.folder, { force: true });
    await mkdir(away, { recursive: true });
    await rename(away, feed.folder);
    await watch.scanNow();
    expect(told).toEqual([
      [],
      [{ feedId: 'lot', folder: feed.folder, since: expect.any(String) as string, code }],
      [],
    ]);
    const lines = dealership.log.filter(({ message }) => message.startsWith('inbox folder'));
    expect(lines.map(({ level, message }) => `${level} ${message}`)).toEqual([
      'warn inbox folder cannot be read and changed; it is tried at every look',
      'info inbox folder is there again',
    ]);
    expect(lines[0]?.facts).toEqual({ feed: 'lot', folder: feed.folder, code });
  },
);

it('that is away when the bridge starts is told once and keeps no other feed waiting', async () => {
  await writeFile(path.join(dealership.folder, 'share'), '');
  const folder = path.join(dealership.folder, 'share', 'inbox');
  const other = dealership.feed('aap', { id: 'other', settle_ms: 1 });
  watch = watchInboxes([{ ...feed, folder }, other], dealership.services());
  await watch.scanNow();
  await watch.scanNow();
  expect(dealership.log.filter(({ level }) => level === 'warn' || level === 'error')).toMatchObject([
    { facts: { feed: 'lot', code: 'ENOTDIR' } },
  ]);
});
