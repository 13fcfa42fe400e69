import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LotInventory } from '../../src/inventory/lot-inventory.ts';
import { buildLot } from '../../src/inventory/lot/build-lot.ts';
import { type InventoryStore, openInventoryStore } from '../../src/inventory/store.ts';
import type { AppointmentType, LeadSubmitRequest } from '../../src/model/lead.ts';
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

describe('a VIN that is not on the lot', () => {
  const UNKNOWN_VIN = '1HGCY2F57RA999999';
  const JETTA_NOTE =
    'No vehicle on the lot has the VIN given: the inquiry is taken to be about the 2026 Volkswagen Jetta, stock number DUP1.';

  async function ask(changes: Partial<LeadSubmitRequest>) {
    const leads = openStore();
    const outcome = await openDesk(leads, { lookup: inventory }).submit(leadRequest(changes));
    if (outcome.kind === 'refused') return { refused: outcome.code };
    const lead = (await leads.find(outcome.answer.lead_id))?.lead;
    return { model: lead?.listing?.model, rooftop: lead?.rooftop_id, message: outcome.message };
  }

  it('leaves the word to the stock number beside it, and the buyer is told which car is meant', async () => {
    const { model, rooftop, message } = await ask({
      vehicle_of_interest: { vin: UNKNOWN_VIN, stock: 'dup1', dealer_id: CEDAR.id },
    });
    expect([model, rooftop]).toEqual(['Jetta', CEDAR.id]);
    expect(message?.endsWith(` ${JETTA_NOTE}`)).toBe(true);
  });

  it('does not refuse the test drive of a car that its stock number names', async () => {
    const { model, message } = await ask({
      vehicle_of_interest: { vin: UNKNOWN_VIN, stock: 'DUP1', dealer_id: CEDAR.id },
      appointment: { appointment_type: 'test_drive' },
    });
    expect(model).toBe('Jetta');
    expect(message).toContain(JETTA_NOTE);
  });

  it('or to the vehicle_id, when the stock number is not here either', async () => {
    await stock(HARBOR.id, [{ ...COROLLA, vehicle_id: 'veh-9' }], Date.UTC(2026, 8, 16));
    inventory.swap(buildLot(store));
    const { model, message } = await ask({
      vehicle_of_interest: { vin: UNKNOWN_VIN, stock: 'QQ1', vehicle_id: 'veh-9' },
    });
    expect(model).toBe('Corolla');
    expect(message).not.toContain('VIN given');
    const byStock = await ask({ vehicle_of_interest: { stock: 'QQ1', vehicle_id: 'veh-9' } });
    expect(byStock.message).toContain(
      'No vehicle on the lot has the stock number given: the inquiry is taken to be about the 2020 Toyota Corolla, stock number DUP1.',
    );
  });

  it.each([
    ['of a car that the buyer calls otherwise', { stock: 'DUP1', make: 'Ford', model: 'Focus' }],
    ['of another rooftop', { stock: 'DUP1', dealer_id: HARBOR.id, make: 'Volkswagen', model: 'Jetta' }],
    ['that nobody has', { stock: 'QQ1' }],
  ])('leaves it to no stock number %s', async (_, named) => {
    const { model, message } = await ask({ vehicle_of_interest: { vin: UNKNOWN_VIN, ...named } });
    expect(model).toBeUndefined();
    expect(message).not.toContain('is taken to be');
  });

  it('but has left it stays the car that is meant', async () => {
    await stock(CEDAR.id, [{ ...COROLLA, stock: 'NEW9' }], Date.UTC(2026, 8, 17));
    inventory.swap(buildLot(store));
    const sold = { vin: JETTA.vin, stock: 'DUP1', dealer_id: CEDAR.id };
    const appointment = (appointment_type: AppointmentType) => ({ appointment: { appointment_type } });
    const { model, rooftop, message } = await ask({ vehicle_of_interest: sold, ...appointment('sales') });
    expect([model, rooftop]).toEqual([undefined, CEDAR.id]);
    expect(message?.endsWith(' The vehicle asked about is no longer on the lot.')).toBe(true);
    expect(await ask({ vehicle_of_interest: sold, ...appointment('test_drive') })).toEqual({
      refused: 'VEHICLE_UNAVAILABLE',
    });
    const workshop = await ask({ vehicle_of_interest: sold, ...appointment('service') });
    expect(workshop.message).not.toContain('no longer on the lot');
  });

  it('is no matter while it is blank, or the one of the car', async () => {
    for (const vin of ['N/A', JETTA.vin, JETTA.vin.toLowerCase()]) {
      const { model, message } = await ask({ vehicle_of_interest: { vin, stock: 'DUP1', make: 'VW' } });
      expect(model).toBeDefined();
      expect(message).not.toContain('VIN given');
    }
  });
});

describe('the rooftop named with the trade-in', () => {
  it.each<[string, Partial<LeadSubmitRequest>, string]>([
    ['gets a lead about nothing else', { trade_in: { make: 'Kia', dealer_id: CEDAR.id } }, CEDAR.id],
    ['also by its name', { trade_in: { make: 'Kia', rooftop: 'Cedar Ridge Auto Center' } }, CEDAR.id],
    [
      'yields to the one named with the vehicle',
      { vehicle_of_interest: { make: 'Kia', dealer_id: HARBOR.id }, trade_in: { dealer_id: CEDAR.id } },
      HARBOR.id,
    ],
    [
      'yields to the one where the vehicle stands',
      { vehicle_of_interest: { vin: JETTA.vin }, trade_in: { dealer_id: HARBOR.id } },
      CEDAR.id,
    ],
    ['counts for nothing when it is none of ours', { trade_in: { dealer_id: 'elsewhere' } }, HARBOR.id],
  ])('%s', async (_, changes, rooftopId) => {
    const leads = openStore();
    const { vehicle_of_interest: __, ...general } = leadRequest();
    const { answer } = answered(
      await openDesk(leads, { lookup: inventory }).submit({ ...general, ...changes }),
    );
    expect((await leads.find(answer.lead_id))?.lead.rooftop_id).toBe(rooftopId);
  });
});
