import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SuggestBench } from './suggest-bench.ts';

let bench: SuggestBench;

beforeAll(async () => {
  bench = await SuggestBench.open();
});

afterAll(() => bench.close());

function table(columns: string, ...rows: string[]): string {
  const lines = rows.map((row, index) => `1HGCV1F31KAA9030${index + 1},S${index},2019,Honda,Accord,${row}`);
  return [`VIN,Stock,Year,Make,Model,${columns}`, ...lines, ''].join('\n');
}

async function stocksOf(text: string): Promise<{ stocks: unknown[]; states: unknown[]; fields: string[] }> {
  const { suggestion, preview } = await bench.try(text);
  return {
    stocks: preview.vehicles.map(({ stock }) => stock),
    states: preview.vehicles.map(({ status }) => status),
    fields: suggestion.questions.map(({ field }) => field),
  };
}

describe('columns that say that a vehicle is sold', () => {
  it.each([
    ['Sold', 'Y', 'N'],
    ['Is Sold', '1', '0'],
    ['Sold Date', '2026-11-30', '0000-00-00'],
    ['Deal Number', 'D1', ''],
    ['Available', '0', '1'],
    ['Available', 'No', '3'],
  ])('%s = %s takes it off, and that is asked', async (column, sold, unsold) => {
    const { stocks, fields } = await stocksOf(table(`New/Used,${column}`, `Used,${sold}`, `Used,${unsold}`));
    expect(stocks).toEqual(['S1']);
    expect(fields).toContain('status');
  });

  it('count beside a status in words', async () => {
    const { stocks, states } = await stocksOf(
      table('New/Used,Status,Sold,In Transit', 'Used,Available,,Y', 'Used,Available,Y,', 'Used,Pending,,Y'),
    );
    expect(stocks).toEqual(['S0', 'S2']);
    expect(states).toEqual(['intransit', 'pending']);
  });

  it('are no question where they say it of no vehicle, and are not used where they say it of all', async () => {
    const none = await stocksOf(table('New/Used,Sold', 'Used,N', 'Used,'));
    expect(none).toEqual({ stocks: ['S0', 'S1'], states: ['available', 'available'], fields: ['mode'] });
    const all = await stocksOf(table('New/Used,Deal Number', 'Used,D1', 'Used,D2'));
    expect(all.stocks).toEqual(['S0', 'S1']);
    expect(all.fields).toContain('status');
  });
});

describe('new and used', () => {
  it.each(['Condición', 'Grado'])(
    'a word that nobody knows refuses its row, not the column %s',
    async (column) => {
      const { preview, suggestion } = await bench.try(
        table(column, 'Ejecutivo', 'Nuevo', 'Usado').replaceAll('Accord', 'Fit'),
      );
      expect(preview.vehicles.map(({ condition }) => condition)).toEqual(['new', 'used']);
      expect(suggestion.questions.map(({ question }) => question).join()).toContain('"Ejecutivo"');
    },
  );

  it('a used car is called seminuevo in Mexico', async () => {
    const { preview } = await bench.try(table('Condición', 'Seminuevo', 'Nuevo'));
    expect(preview.vehicles.map(({ condition }) => condition)).toEqual(['used', 'new']);
  });

  it.each([
    ['IsNew', ['Y', 'N'], ['new', 'used']],
    ['IsNew', ['Y', 'U'], ['new', 'used']],
    // Whether N is new or a no is not to be guessed.
    ['IsNew', ['U', 'N'], ['used']],
    ['Is Used', ['U', 'N'], ['used', 'new']],
  ])('%s with %j', async (column, letters, conditions) => {
    const { preview } = await bench.try(table(column, ...letters));
    expect(preview.vehicles.map(({ condition }) => condition)).toEqual(conditions);
  });

  it('words for new among texts of another kind make no column of conditions', async () => {
    const { preview } = await bench.try(table('Tires', 'New', 'Good', 'Fair', 'Worn'));
    expect(preview.vehicles).toHaveLength(4);
  });
});
