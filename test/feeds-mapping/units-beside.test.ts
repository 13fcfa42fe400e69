import { describe, expect, it } from 'vitest';
import { loadProfile } from '../../src/feeds/profile/profile.ts';
import { runProfile, SHIPPED_PROFILES, valueOf, writeProfiles, type Outcome } from './run-profile.ts';

const VIN = '1HGCV1F31KAA90301';

async function run(map: Record<string, unknown>, text: string): Promise<Outcome> {
  const isXml = text.startsWith('<');
  const own = await writeProfiles({
    own: {
      reader: isXml ? 'xml' : 'csv',
      ...(isXml ? { options: { record: 'unit' } } : {}),
      map: {
        vin: 'vin',
        year: 'year',
        make: 'make',
        model: 'model',
        condition: { constant: 'used' },
        ...map,
      },
    },
  });
  return runProfile(valueOf(await loadProfile('own', { own, builtIn: SHIPPED_PROFILES })), text);
}

function table(columns: string, values: string): string {
  return `vin,year,make,model,${columns}\n${VIN},2019,Honda,Accord,${values}\n`;
}

function unit(content: string): string {
  return `<units><unit><vin>${VIN}</vin><year>2019</year><make>Honda</make><model>Accord</model>${content}</unit></units>`;
}

const json = (value: unknown): string => `"${JSON.stringify(value).replaceAll('"', '""')}"`;

describe('a price in another currency', () => {
  it.each([
    ['Price', table('Price,Currency', '15995,CAD')],
    ['Price', table('Price,Price Currency', '15995,EUR')],
    ['Price', table('Price,Currency', '15995,Canadian Dollars')],
    ['price', unit('<price currency="CAD">15995</price>')],
    ['price', unit('<price Currency_Code="MXN">15995</price>')],
    ['price/amount', unit('<price><amount>15995</amount><currency>CAD</currency></price>')],
    [
      'prices/price[@kind=asking]',
      unit('<prices><price kind="asking" currency="CAD">15995</price></prices>'),
    ],
    ['pricing/price', table('pricing', json({ price: 15_995, currency: 'CAD' }))],
    [{ column: 'Price', currency: 'Coin' }, table('Price,Coin', '15995,Real')],
    [{ column: 'Price', currency: { constant: 'CAD' } }, table('Price', '15995')],
  ])('%j is left out and told', async (source, text) => {
    const outcome = await run({ list_price: source, msrp: source }, text);
    expect(outcome.vehicles[0]).not.toHaveProperty('list_price');
    expect(outcome.vehicles[0]).not.toHaveProperty('msrp');
    expect(outcome.warnings.map(({ code }) => code)).toContain('price_currency');
    expect(outcome.warnings.map(({ code }) => code)).not.toContain('price_missing');
  });

  it('takes the fees along', async () => {
    const outcome = await run(
      { price: 'Price', fees: [{ name: 'Doc', column: 'Doc' }] },
      table('Price,Doc,Currency', '15995,389,CAD'),
    );
    expect(outcome.vehicles[0]).not.toHaveProperty('fees');
  });

  it.each([['USD'], ['US Dollars'], ['$'], ['usd'], [''], ['N/A'], ['0.00'], ['Yes']])(
    'is not what a column says with "%s"',
    async (currency) => {
      const outcome = await run({ list_price: 'Price' }, table('Price,Currency', `15995,${currency}`));
      expect(outcome.vehicles[0]).toMatchObject({ list_price: 15_995 });
      expect(outcome.warnings).toEqual([]);
    },
  );

  it('says nothing of the price beside it that is chosen by its currency', async () => {
    const both = unit('<price currency="CAD">21995</price><price currency="USD">15995</price>');
    const outcome = await run({ list_price: 'price[@currency=USD]' }, both);
    expect(outcome.vehicles[0]).toMatchObject({ list_price: 15_995 });
  });
});

describe('a mileage whose unit stands beside it', () => {
  it.each([
    ['Miles', table('Miles,Miles Unit', '50000,km')],
    ['mileage', unit('<mileage units="km">50000</mileage>')],
    ['mileage', unit('<mileage unit="Kilometers">50000</mileage>')],
    ['odo', unit('<odo uom="KM">50000</odo>')],
    ['mileage/value', unit('<mileage><value>50000</value><unit>KM</unit></mileage>')],
    ['mileage/value', table('mileage', json({ value: 50_000, unit: 'KM' }))],
  ])('%s is converted', async (source, text) => {
    const outcome = await run({ mileage: source }, text);
    expect(outcome.vehicles[0]).toMatchObject({ mileage: 31_069 });
  });

  it.each([
    unit('<mileage units="mi">50000</mileage>'),
    unit('<mileage unit="">50000</mileage>'),
    unit('<mileage unit="exact">50000</mileage>'),
    unit('<mileage>50000</mileage><unit>1042</unit>'),
  ])('%s is in miles', async (text) => {
    const outcome = await run({ mileage: 'mileage' }, text);
    expect(outcome.vehicles[0]).toMatchObject({ mileage: 50_000 });
    expect(outcome.warnings).toEqual([]);
  });
});
