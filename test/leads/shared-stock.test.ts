import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LotInventory } from '../../src/inventory/lot-inventory.ts';
import { buildLot } from '../../src/inventory/lot/build-lot.ts';
import { type InventoryStore, openInventoryStore } from '../../src/inventory/store.ts';
import type { Vehicle } from '../../src/model/vehicle.ts';
import { stagedVehicle } from '../inventory/case-files.ts';
import { answered, CEDAR, HARBOR, leadRequest, openDesk, openStore, refusalCode } from './lead-harness.ts';

const COROLLA = { stock: 'DUP1', year: 2020, make: 'Toyota', model: 'Corolla', price: 9_100 };
const JETTA = { vin: '3VW7M7BU5TM012345', stock: 'DUP1', year: 2026, make: 'Volkswagen', model: 'Jetta' };

let inventory: LotInventory;
let store: InventoryStore;

beforeEach(async () => {
  store = openInventoryStore(':memory:');
  await stock(HARBOR.id, [COROLLA], Date.UTC(2026, 8, 14));
  await stock(CEDAR.id, [JETTA], Date.UTC(2026, 8, 15));
  const settings = { default_limit: 20, max_limit: 100, include_facets: false, max_facet_values: 100 };
  inventory = new LotInventory(store, settings);
  inventory.swap(buildLot(store));
});

afterEach(() => store.close());

async function stock(rooftopId: string, vehicles: readonly Vehicle[], confirmedAt: number): Promise<void> {
  const run = await store.beginRun({ runId: rooftopId, feedId: rooftopId, mode: 'full', confirmedAt });
  await run.stage(
    vehicles.map((vehicle, row) =>
      stagedVehicle({ status: 'available', rooftop: rooftopId, ...vehicle }, { row, rooftopId }),
    ),
  );
  await run.apply({ removeAbsent: true });
}

describe('a stock number that two rooftops use', () => {
  it.each([
    ['the id of one', { dealer_id: HARBOR.id }, HARBOR.id, 'Corolla'],
    ['the name of one', { rooftop: 'Harbor  Point Mótors ' }, HARBOR.id, 'Corolla'],
    ['the name of the other', { rooftop: 'Cedar Ridge Auto Center' }, CEDAR.id, 'Jetta'],
    ['make and model', { make: 'Toyota', model: 'Corolla' }, HARBOR.id, 'Corolla'],
    ['a make by another name', { make: 'VW', model: 'Jetta' }, CEDAR.id, 'Jetta'],
    ['a car that neither has', { make: 'Ford', model: 'Focus' }, HARBOR.id, undefined],
    [
      'the one and the car of the other',
      { dealer_id: CEDAR.id, make: 'Toyota', model: 'Corolla' },
      CEDAR.id,
      undefined,
    ],
  ])('is that of the rooftop and the car that the buyer names: %s', async (_, named, rooftopId, model) => {
    const leads = openStore();
    const desk = openDesk(leads, { lookup: inventory });
    const request = leadRequest({ vehicle_of_interest: { stock: 'dup1', ...named } });
    const { lead_id } = answered(await desk.submit(request)).answer;
    const lead = (await leads.find(lead_id))?.lead;
    expect([lead?.rooftop_id, lead?.listing?.model]).toEqual([rooftopId, model]);
  });

  it('makes two leads of one buyer who asks both', async () => {
    const desk = openDesk(openStore(), { lookup: inventory });
    const ask = async (dealer_id: string) =>
      answered(await desk.submit(leadRequest({ vehicle_of_interest: { stock: 'DUP1', dealer_id } }))).answer
        .status;
    expect([await ask(HARBOR.id), await ask(CEDAR.id), await ask(HARBOR.id)]).toEqual([
      'received',
      'received',
      'duplicate',
    ]);
  });

  it('lets nobody test drive a car that the named rooftop does not have', async () => {
    const desk = openDesk(openStore(), { lookup: inventory });
    const vehicle_of_interest = { stock: 'DUP1', dealer_id: HARBOR.id, make: 'Volkswagen', model: 'Jetta' };
    const appointment = { appointment_type: 'test_drive' as const };
    expect(refusalCode(await desk.submit(leadRequest({ vehicle_of_interest, appointment })))).toBe(
      'VEHICLE_NOT_FOUND',
    );
  });
});

it('finds a VIN wherever the car stands, whatever rooftop and car the buyer names', async () => {
  const leads = openStore();
  const vehicle_of_interest = { vin: JETTA.vin, dealer_id: HARBOR.id, make: 'VW', model: 'Golf' };
  const { answer } = answered(
    await openDesk(leads, { lookup: inventory }).submit(leadRequest({ vehicle_of_interest })),
  );
  expect((await leads.find(answer.lead_id))?.lead).toMatchObject({
    rooftop_id: CEDAR.id,
    listing: { model: 'Jetta' },
  });
});
