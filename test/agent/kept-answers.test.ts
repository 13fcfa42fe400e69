import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inventoryFacets } from '../../src/agent/skills/inventory-facets.ts';
import { inventorySearch } from '../../src/agent/skills/inventory-search.ts';
import { KeptAnswers } from '../../src/agent/skills/kept-answers.ts';
import { LotInventory } from '../../src/inventory/lot-inventory.ts';
import { buildLot } from '../../src/inventory/lot/build-lot.ts';
import { type InventoryStore, openInventoryStore } from '../../src/inventory/store.ts';
import type { Skill } from '../../src/agent/skills/skill.ts';
import { stagedVehicle } from '../inventory/case-files.ts';

describe('answers that are kept', () => {
  const monday = { vehicles: 1, lotVersion: 1, rooftops: [] };
  const tuesday = { vehicles: 1, lotVersion: 2, rooftops: [] };

  /** How often the lot was asked in the end. */
  function asker(): {
    kept: KeptAnswers;
    ask: (question: object, status?: object, size?: number) => string;
    asked: () => number;
  } {
    const kept = new KeptAnswers();
    let asked = 0;
    const ask = (question: object, status: object = monday, size = 1): string =>
      kept.answer(status as typeof monday, question, () => {
        asked += 1;
        return { data: `${asked}`.padEnd(size, ' '), fact: '' };
      }).data;
    return { kept, ask, asked: () => asked };
  }

  it('are those of questions that come a second time', () => {
    const { ask, asked } = asker();
    expect([ask({ make: ['Ford'] }), ask({ make: ['Ford'] }), ask({ make: ['Ford'] })]).toEqual([
      '1',
      '2',
      '2',
    ]);
    expect([ask({ make: ['Kia'] }), ask({ make: ['Ford'] })]).toEqual(['3', '2']);
    expect(asked()).toBe(3);
  });

  it('go with the lot', () => {
    const { ask } = asker();
    for (let times = 0; times < 3; times++) ask({});
    expect(ask({}, tuesday)).toBe('3');
    expect(ask({}, monday)).toBe('4');
  });

  it('fill no more than 4 MB: the longest unasked go', () => {
    const { ask, asked } = asker();
    const megabyte = 1024 * 1024;
    const askTwice = (page: number): void => {
      ask({ page }, monday, megabyte - 1_000);
      ask({ page }, monday, megabyte - 1_000);
    };
    for (const page of [1, 2, 3, 4]) askTwice(page);
    ask({ page: 1 });
    expect(asked()).toBe(8);
    askTwice(5);
    expect(asked()).toBe(10);
    ask({ page: 1 });
    ask({ page: 3 });
    expect(asked()).toBe(10);
    ask({ page: 2 });
    expect(asked()).toBe(11);
  });

  it('are not kept for questions as long as a letter', () => {
    const { ask, asked } = asker();
    for (let times = 0; times < 3; times++) ask({ query: 'x'.repeat(600) });
    expect(asked()).toBe(3);
  });
});

describe('a lot that changes under questions that are asked again', () => {
  const settings = { default_limit: 20, max_limit: 100, include_facets: false, max_facet_values: 100 };
  const clock = { now: () => Date.UTC(2026, 8, 15) };
  let store: InventoryStore;
  let inventory: LotInventory;

  beforeEach(() => {
    store = openInventoryStore(':memory:');
    inventory = new LotInventory(store, settings);
  });

  afterEach(() => store.close());

  async function serve(price: number): Promise<void> {
    const confirmedAt = Date.UTC(2026, 8, 14);
    const run = await store.beginRun({ runId: `run${price}`, feedId: 'feed', mode: 'full', confirmedAt });
    const vehicle = { stock: 'A', make: 'Ford', status: 'available', price } as const;
    await run.stage([stagedVehicle({ ...vehicle, rooftop: 'HPM01' }, { row: 0, rooftopId: 'HPM01' })]);
    await run.apply({ removeAbsent: true });
    inventory.swap(buildLot(store));
  }

  async function dataOf(skill: Skill, request: object): Promise<Record<string, unknown>> {
    const outcome = await skill.answer(request);
    if (outcome.kind !== 'answered') throw new Error('it was refused');
    return (JSON.parse(outcome.payload) as { data: Record<string, unknown> }).data;
  }

  it('tells the new price, whether it searches or counts', async () => {
    const search = inventorySearch(inventory, settings, clock);
    const facets = inventoryFacets(inventory, clock);
    const question = { filters: { make: ['Ford'] } };
    for (const price of [20_000, 18_500]) {
      await serve(price);
      for (let times = 0; times < 3; times++) {
        expect(await dataOf(search, question)).toMatchObject({ total: 1, vehicles: [{ stock: 'A', price }] });
        expect(await dataOf(facets, question)).toMatchObject({ price_range: { min: price, max: price } });
      }
    }
  });
});
