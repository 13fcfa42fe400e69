import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SuggestBench } from './suggest-bench.ts';

let bench: SuggestBench;

beforeAll(async () => {
  bench = await SuggestBench.open();
});

afterAll(() => bench.close());

const VIN = '1HGCV1F31KAA90301';

function lot(...prices: string[]): string {
  const units = prices.map(
    (price, index) =>
      `<Unit><VIN>1HGCV1F31KAA9030${index + 1}</VIN><Stock>S${index}</Stock><Year>2020</Year><Make>Honda</Make>` +
      `<Model>Civic</Model><Condition>Used</Condition>${price}</Unit>`,
  );
  return `<Lot>${units.join('')}</Lot>`;
}

describe('amounts of several kinds in one element', () => {
  const asking = '<Price kind="asking">21000</Price>';
  const invoice = '<Price kind="invoice">11000</Price>';

  it('are chosen by the kind that names the asking price, and cost stays inside', async () => {
    const { suggestion, preview } = await bench.try(
      lot(`<Prices>${invoice}${asking}</Prices>`, `<Prices>${asking}${invoice}</Prices>`),
      'kinds.xml',
    );
    expect(preview.vehicles.map((vehicle) => vehicle.list_price)).toEqual([21_000, 21_000]);
    expect(suggestion.neverPublished).toEqual(['Prices/Price[@kind=invoice]']);
    expect(JSON.stringify({ suggestion, preview })).not.toContain('11000');
  });

  it('are chosen by an element, and bring the sticker price too', async () => {
    const price = (kind: string, amount: number) =>
      `<Pricing><Type>${kind}</Type><Price>${amount}</Price></Pricing>`;
    const { preview } = await bench.try(
      lot(price('Dealer Cost', 11_000) + price('MSRP', 25_000) + price('Internet', 21_000)),
      'elements.xml',
    );
    expect(preview.vehicles[0]).toMatchObject({ list_price: 21_000, msrp: 25_000 });
  });

  it.each([
    ['no known word', '<Price kind="A">11000</Price><Price kind="B">21000</Price>'],
    ['nothing', '<Price>11000</Price><Price>21000</Price>'],
    ['cost alone', invoice],
  ])('are asked about where %s tells them apart', async (_, prices) => {
    const { suggestion, preview } = await bench.try(lot(prices, prices), 'asked.xml');
    expect(preview.vehicles[0]).not.toHaveProperty('list_price');
    expect(suggestion.questions.map(({ field }) => field)).toContain('list_price');
    expect(suggestion.profile).not.toContain('11000');
  });

  it('are no question where each says the same, or where one kind of attribute says nothing of money', async () => {
    const same = await bench.try(lot('<Price>21000</Price><Price>21000</Price>'), 'same.xml');
    expect(same.preview.vehicles[0]).toMatchObject({ list_price: 21_000 });
    const one = await bench.try(lot('<Price type="decimal">21000</Price>'), 'one.xml');
    expect(one.preview.vehicles[0]).toMatchObject({ list_price: 21_000 });
  });
});

describe('what stands beside a value', () => {
  const head = `VIN,Stock,Year,Make,Model,New/Used`;
  const row = `${VIN},A1,2019,Honda,Accord,Used`;

  it.each([
    [`${head},Internet Price,Currency\n${row},15995,CAD\n`, 'export.csv'],
    [lot('<Retail currency="CAD">15995</Retail>'), 'cad.xml'],
  ])('a currency that is none of dollars leaves the price out and is asked about', async (text, name) => {
    const { suggestion, preview } = await bench.try(text, name);
    expect(preview.vehicles[0]).not.toHaveProperty('list_price');
    expect(suggestion.profile).toMatch(/currency: \S/);
    expect(suggestion.questions.map(({ column }) => column)).toContainEqual(
      expect.stringMatching(/currency$/i) as string,
    );
  });

  it('US dollars are no question', async () => {
    const { suggestion, preview } = await bench.try(`${head},Internet Price,Currency\n${row},15995,USD\n`);
    expect(preview.vehicles[0]).toMatchObject({ list_price: 15_995 });
    expect(suggestion.questions.map(({ field }) => field)).toEqual(['mode']);
    expect(suggestion.unknown).toEqual([]);
  });

  it('pesos that have no sign are asked about', async () => {
    const { suggestion } = await bench.try(`${head},Precio\n${row},"$219,000.00"\n`);
    expect(suggestion.questions.map(({ question }) => question).join()).toContain('US dollars');
  });

  it.each([
    '<Mileage units="km">50000</Mileage>',
    '<Odo unit="km">50000</Odo>',
    '<Odometer uom="KM">50000</Odometer>',
  ])('the unit of %s is believed', async (mileage) => {
    const { suggestion, preview } = await bench.try(lot(mileage), 'units.xml');
    expect(preview.vehicles[0]).toMatchObject({ mileage: 31_069 });
    expect(suggestion.questions.map(({ field }) => field)).not.toContain('mileage');
  });
});

it('required fields may stand in a cell of JSON', async () => {
  const json = (value: unknown): string => `"${JSON.stringify(value).replaceAll('"', '""')}"`;
  const vehicle = { vin: VIN, year: 2020, make: 'Honda', model: 'Civic', condition: 'Used' };
  const { suggestion, preview } = await bench.try(
    `id,vehicle,pricing\n1,${json(vehicle)},${json({ asking_price: 19_996, cost: 15_000 })}\n`,
  );
  expect(suggestion.missing).toEqual([]);
  expect(preview.vehicles[0]).toMatchObject({ vin: VIN, list_price: 19_996, condition: 'used' });
});
