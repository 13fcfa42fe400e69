import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GuardConfig } from '../../src/config/config.ts';
import { guard } from '../../src/feeds/guard.ts';
import { Dealership } from '../feeds-intake/dealership.ts';
import { takeIn } from './drop-file.ts';

const GENEROUS: GuardConfig = { max_removed_percent: 100, max_removed_vehicles: 0 };
let dealership: Dealership;

beforeEach(async () => {
  dealership = await Dealership.open();
});

afterEach(async () => {
  await dealership.close();
});

function lot(vehicles: number): string {
  const rows = Array.from({ length: vehicles }, (_, n) => `A${n},2020,Honda,Civic,used,20000\n`);
  return `stock,year,make,model,condition,list_price\n${rows.join('')}`;
}

describe('a floor', () => {
  it.each([
    // [before, added, removed, floor, held]
    [40, 0, 9, 30, false],
    [40, 0, 10, 30, false],
    [40, 0, 11, 30, true],
    [40, 5, 15, 30, false],
    [40, 5, 16, 30, true],
    // A rooftop that stands under it may grow and stay; each further loss waits.
    [8, 1, 0, 30, false],
    [8, 1, 1, 30, false],
    [8, 0, 1, 30, true],
    [8, 0, 1, 0, false],
  ])('of %i vehicles, %i added, %i removed, floor %i: held %s', (before, added, removed, floor, held) => {
    const change = { rooftopId: 'HPM01', before, added, changed: 0, unchanged: 0, removed, moved: 0 };
    expect(guard([change], { ...GENEROUS, floor }).length > 0).toBe(held);
  });

  it('holds the run, names itself in the reason and keeps the lot', async () => {
    const feed = dealership.feed('aap', { guard: { ...GENEROUS, floor: 18, doubt_missing_end: false } });
    await takeIn(lot(20), feed, dealership);
    const held = await takeIn(lot(17), feed, dealership);
    expect(held.status).toBe('held');
    expect(held.problem?.code).toBe('shrink_guard');
    expect(held.problem?.message).toContain('HPM01: 3 of 20, which leaves 17, under the floor of 18');
    expect(dealership.listed().size).toBe(20);
    expect((await takeIn(lot(18), feed, dealership)).status).toBe('ok');
  });
});

describe('the same file again', () => {
  it('releases a held run, unless only a person may', async () => {
    const statusOfSecond = async (id: string, confirm_by_repeat?: boolean): Promise<string> => {
      const guarded = { max_removed_percent: 20, max_removed_vehicles: 10 };
      const feed = dealership.feed('aap', {
        id,
        guard: confirm_by_repeat === undefined ? guarded : { ...guarded, confirm_by_repeat },
      });
      await takeIn(lot(20).replaceAll('\nA', `\n${id}`), feed, dealership);
      const small = lot(3).replaceAll('\nA', `\n${id}`);
      expect((await takeIn(small, feed, dealership)).status).toBe('held');
      return (await takeIn(small, feed, dealership)).status;
    };
    expect(await statusOfSecond('by-default')).toBe('ok');
    expect(await statusOfSecond('by-word', true)).toBe('ok');
    expect(await statusOfSecond('by-hand', false)).toBe('held');
  });
});
