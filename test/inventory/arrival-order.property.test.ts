import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openInventoryStore, type InventoryStore } from '../../src/inventory/store.ts';
import type { FeedMode, StagedRemoval } from '../../src/model/intake.ts';
import { stagedVehicle } from './case-files.ts';

/** Each feed sends its files in order, but one may be late beside the others: what the lot shows must not depend on it. */

const STOCKS = ['S0', 'S1', 'S2', 'S3'];
const ROOFTOP = 'HPM01';

interface MadeFile {
  feedId: string;
  mode: FeedMode;
  /** By vehicle: its price, 'gone', or nothing said. A full file says something of all. */
  words: (number | 'gone' | undefined)[];
}

const price = fc.integer({ min: 1, max: 3 });
const full = fc.record({
  feedId: fc.constantFrom('bulk', 'group'),
  mode: fc.constant<FeedMode>('full'),
  words: fc.array(price, { minLength: STOCKS.length, maxLength: STOCKS.length }),
});
const delta = fc.record({
  feedId: fc.constantFrom('delta', 'phone'),
  mode: fc.constant<FeedMode>('delta'),
  words: fc.array(fc.option(fc.oneof(price, fc.constant('gone' as const)), { nil: undefined }), {
    minLength: STOCKS.length,
    maxLength: STOCKS.length,
  }),
});

async function takeIn(
  store: InventoryStore,
  { feedId, mode, words }: MadeFile,
  writtenAt: number,
): Promise<void> {
  const run = await store.beginRun({ runId: `run${writtenAt}`, feedId, mode, confirmedAt: writtenAt });
  const removals: StagedRemoval[] = [];
  for (const [row, word] of words.entries()) {
    const stock = STOCKS[row] ?? '';
    if (word === 'gone')
      removals.push({ row, line: row, key: stock, rooftopId: ROOFTOP, identity: `stock:${stock}` });
    else if (word !== undefined)
      await run.stage([
        stagedVehicle({ stock, status: 'available', list_price: word }, { row, rooftopId: ROOFTOP }),
      ]);
  }
  await run.stageRemovals(removals);
  await run.settleOutdated();
  await run.apply({ removeAbsent: true });
  await store.recordRun({
    ...{ runId: `run${writtenAt}`, feedId, fileName: 'f', fingerprint: String(writtenAt), status: 'ok' },
    ...{ startedAt: '', finishedAt: '', rows: 0, accepted: 0, rejected: 0 },
    ...{ added: 0, changed: 0, unchanged: 0, removed: 0 },
  });
}

const FIRST: MadeFile = { feedId: 'bulk', mode: 'full', words: [1, 1, 1, 1] };

async function lotAfter(files: readonly { file: MadeFile; writtenAt: number }[]): Promise<string[]> {
  const store = openInventoryStore(':memory:');
  await takeIn(store, FIRST, 1);
  for (const { file, writtenAt } of files) await takeIn(store, file, writtenAt);
  const lot = [...store.readAllForLot()].map(({ vehicle }) => `${vehicle.stock} ${vehicle.list_price}`);
  store.close();
  return lot;
}

it('the lot is the same in whatever order files of different feeds come', async () => {
  const files = fc.array(fc.oneof(full, delta), { minLength: 2, maxLength: 7 });
  await fc.assert(
    fc.asyncProperty(files, fc.infiniteStream(fc.nat()), async (made, draws) => {
      const written = made.map((file, index) => ({ file, writtenAt: 10 + index }));
      // Draw the next file among the feeds that have one left, each feed's own in order.
      const queues = [...Map.groupBy(written, ({ file }) => file.feedId).values()];
      const arrived: typeof written = [];
      for (const draw of draws) {
        const left = queues.filter((queue) => queue.length > 0);
        const next = left[draw % Math.max(1, left.length)]?.shift();
        if (next === undefined) break;
        arrived.push(next);
      }
      expect(await lotAfter(arrived)).toEqual(await lotAfter(written));
    }),
    { numRuns: 150 },
  );
});
