import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import type { FeedConfig } from '../../src/config/config.ts';
import { watchInboxes } from '../../src/feeds/inbox/inbox.ts';
import { KeptFeeds } from '../../src/feeds/kept-feeds.ts';
import type { InventoryIntake } from '../../src/model/intake.ts';
import { Dealership } from '../feeds-intake/dealership.ts';

let dealership: Dealership;
let feed: FeedConfig;
beforeEach(async () => {
  dealership = await Dealership.open();
  feed = dealership.feed('aap', { settle_ms: 0, mode: 'delta' });
  await mkdir(feed.folder, { recursive: true });
});
afterEach(() => dealership.close());

function fileOf(...stocks: string[]): string {
  const rows = stocks.map((stock) => `${stock},2020,Ford,F-150,used`);
  return ['stock,year,make,model,condition', ...rows, ''].join('\n');
}

/** The store, telling when a run begins. */
function intakeTelling(onBegin: () => void): InventoryIntake {
  const { store } = dealership;
  return new Proxy(store, {
    get: (target, key) => {
      const member = Reflect.get(target, key, target) as unknown;
      if (typeof member !== 'function') return member;
      return (...words: unknown[]): unknown => {
        if (key === 'beginRun') onBegin();
        return Reflect.apply(member, target, words);
      };
    },
  });
}

it('a watch that is to finish takes the file under way in and leaves the next one to its successor', async () => {
  await writeFile(path.join(feed.folder, '1.csv'), fileOf('T1'));
  await writeFile(path.join(feed.folder, '2.csv'), fileOf('T2'));
  const begun = vi.fn();
  let finished: Promise<void> | undefined;
  const intake = intakeTelling(() => {
    begun();
    finished ??= watch.finish();
  });
  const watch = watchInboxes([feed], dealership.services({ intake }));
  onTestFinished(() => watch.stop());
  await vi.waitFor(
    () => {
      dealership.now += 10;
      void watch.scanNow();
      expect(finished).toBeDefined();
    },
    { timeout: 20_000 },
  );
  await finished;
  expect(begun).toHaveBeenCalledTimes(1);
  expect([...dealership.listed().keys()]).toEqual(['T1']);
  expect(await readdir(feed.folder)).toEqual(['2.csv']);
});

it('a kept profile stays as it was accepted, until it is renewed by one that loads', async () => {
  const file = path.join(dealership.folder, 'mine.yaml');
  const own = { ...feed, profile: file };
  const profile = (description: string) => `extends: aap\ndescription: ${description}\n`;
  await writeFile(file, profile('first'));
  const kept = new KeptFeeds(dealership.folder);
  expect(kept.find(own)).toBeUndefined();
  await kept.renew([own]);
  expect(kept.find(own)?.profile.description).toBe('first');
  await writeFile(file, 'reader: [');
  await kept.renew([own]);
  expect(kept.find(own)?.profile.description).toBe('first');
  await writeFile(file, profile('second'));
  expect(kept.find(own)?.profile.description).toBe('first');
  await kept.renew([own]);
  expect(kept.find(own)?.profile.description).toBe('second');
  // Other settings of the feed may ask other things of its profile.
  expect(kept.find({ ...own, supplements: { feeds: ['x'], fields: ['photos'] } as never })).toBeUndefined();
  await kept.renew([]);
  expect(kept.find(own)).toBeUndefined();
});
