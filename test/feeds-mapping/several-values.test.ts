import { describe, expect, it } from 'vitest';
import { isNeverPublished } from '../../src/feeds/profile/never-published.ts';
import { loadProfile } from '../../src/feeds/profile/profile.ts';
import { runProfile, SHIPPED_PROFILES, valueOf, writeProfiles, type Outcome } from './run-profile.ts';

const VIN = '1HGCV1F31KAA90301';

async function profileOf(map: Record<string, unknown>, over: Record<string, unknown> = {}) {
  const own = await writeProfiles({
    own: {
      reader: 'xml',
      options: { record: 'unit' },
      map: { vin: 'vin', year: 'year', make: 'make', model: 'model', condition: 'condition', ...map },
      ...over,
    },
  });
  return loadProfile('own', { own, builtIn: SHIPPED_PROFILES });
}

async function runXml(map: Record<string, unknown>, ...units: string[]): Promise<Outcome> {
  const facts = `<vin>${VIN}</vin><year>2019</year><make>Honda</make><model>Accord</model>`;
  const text = units
    .map(
      (unit) =>
        `<unit>${facts}${unit.includes('<condition>') ? '' : '<condition>Used</condition>'}${unit}</unit>`,
    )
    .join('');
  return runProfile(valueOf(await profileOf(map)), `<units>${text}</units>`);
}

function warningsOf({ warnings }: Outcome): string[] {
  return warnings.map(({ code }) => code);
}

describe('a price that stands several times', () => {
  it.each([
    '<price>11000</price><price>15995</price>',
    '<price>15995</price><price>Call</price>',
    '<price>15995</price><price>15995 CAD</price>',
  ])('%s is left out and told, without its values', async (unit) => {
    const outcome = await runXml({ list_price: 'price' }, unit);
    expect(outcome.vehicles[0]).not.toHaveProperty('list_price');
    expect(warningsOf(outcome)).toEqual(['value_ambiguous']);
    expect(JSON.stringify(outcome.checked)).not.toContain('11000');
  });

  it.each([
    '<price>15995</price><price>$15,995.00</price>',
    '<price>0</price><price>15995</price>',
    '<price/><price>15995</price><price> </price>',
  ])('%s says one thing', async (unit) => {
    const outcome = await runXml({ list_price: 'price' }, unit);
    expect(outcome.vehicles[0]).toMatchObject({ list_price: 15_995 });
    expect(warningsOf(outcome)).toEqual([]);
  });

  it('is something else than several columns, of which the first that is filled counts', async () => {
    const outcome = await runXml(
      { list_price: ['sale', 'price'] },
      '<sale>14995</sale><price>15995</price>',
      '<sale>0</sale><price>15995</price>',
    );
    expect(outcome.vehicles.map((vehicle) => vehicle.list_price)).toEqual([14_995, 15_995]);
  });
});

describe('a price that is marked as cost', () => {
  it.each([
    '<price type="invoice">11000</price>',
    '<price kind="Dealer Net">11000</price>',
    '<price name="cost">11000</price><price name="holdback">500</price>',
  ])('%s is never taken', async (unit) => {
    const outcome = await runXml({ list_price: 'price' }, unit);
    expect(outcome.vehicles[0]).not.toHaveProperty('list_price');
  });

  it('leaves the one beside it', async () => {
    const outcome = await runXml(
      { list_price: 'price' },
      '<price type="invoice">11000</price><price type="asking">15995</price>',
    );
    expect(outcome.vehicles[0]).toMatchObject({ list_price: 15_995 });
  });

  it('leaves none where some have no mark', async () => {
    const outcome = await runXml({ list_price: 'price' }, '<price>11000</price><price type="cost"/>');
    expect(outcome.vehicles[0]).not.toHaveProperty('list_price');
  });
});

describe('a choice in a profile', () => {
  const asking = '<prices><price kind="invoice">11000</price><price kind="Asking">21000</price></prices>';
  const swapped = '<prices><price kind="Asking">21000</price><price kind="invoice">11000</price></prices>';

  it('takes the element whose attribute says so, wherever it stands', async () => {
    const outcome = await runXml({ list_price: 'prices/price[@kind=asking]' }, asking, swapped);
    expect(outcome.vehicles.map((vehicle) => vehicle.list_price)).toEqual([21_000, 21_000]);
  });

  it('takes the element beside which another element says so', async () => {
    const price = (kind: string, amount: number) =>
      `<price><kind>${kind}</kind><amount>${amount}</amount></price>`;
    const outcome = await runXml(
      { list_price: 'price[kind="asking"]/amount' },
      price('invoice', 11_000) + price('asking', 21_000),
    );
    expect(outcome.vehicles[0]).toMatchObject({ list_price: 21_000 });
  });

  it('takes nothing where some elements have no mark', async () => {
    const outcome = await runXml(
      { list_price: 'price[@kind=asking]' },
      '<price>11000</price><price kind="asking">21000</price>',
    );
    expect(outcome.vehicles[0]).not.toHaveProperty('list_price');
  });

  it('is for every field', async () => {
    const outcome = await runXml(
      { exterior_color: 'color[@of=body]' },
      '<color of="seats">Black</color><color of="body">Red</color>',
    );
    expect(outcome.vehicles[0]).toMatchObject({ exterior_color: 'Red' });
  });

  it('never takes cost', async () => {
    const loaded = await profileOf({ list_price: 'prices/price[@kind=Dealer Cost]' });
    expect(loaded.ok ? [] : loaded.problems.map(({ code }) => code)).toEqual(['FEED_COLUMN_NEVER_PUBLISHED']);
    expect(isNeverPublished('prices/price[@kind=asking]')).toBe(false);
  });
});

describe('other values that stand several times', () => {
  it('two readings of one odometer are none', async () => {
    const outcome = await runXml(
      { mileage: 'mileage' },
      '<mileage>45000</mileage><mileage>54000</mileage>',
      '<mileage>45000</mileage><mileage>45000</mileage>',
    );
    expect(outcome.vehicles.map((vehicle) => vehicle.mileage)).toEqual([undefined, 45_000]);
    expect(warningsOf(outcome)).toEqual(['value_ambiguous']);
  });

  it('new and used at once refuses the row, the same said twice does not', async () => {
    const outcome = await runXml(
      {},
      '<condition>New</condition><condition>Used</condition>',
      '<condition>Used</condition><condition>U</condition>',
    );
    expect(outcome.rejections.map(({ row, reason }) => [row, reason])).toEqual([[1, 'condition_unknown']]);
  });

  it('of several states the one counts that is furthest from a sale', async () => {
    const outcome = await runXml(
      { status: 'status' },
      '<status>Available</status><status>Sold</status>',
      '<status>Available</status><status>Available</status>',
    );
    expect(outcome.rejections.map(({ row, reason }) => [row, reason])).toEqual([[1, 'status_out_of_stock']]);
  });

  it('of several colors the first counts', async () => {
    const outcome = await runXml({ exterior_color: 'color' }, '<color>Red</color><color>White roof</color>');
    expect(outcome.vehicles[0]).toMatchObject({ exterior_color: 'Red' });
    expect(warningsOf(outcome)).toEqual([]);
  });
});
