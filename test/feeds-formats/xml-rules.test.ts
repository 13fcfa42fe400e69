import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { rooftop, runProfile, shippedProfile, type Outcome } from '../feeds-mapping/run-profile.ts';
import { CASES, preview, SAMPLES } from './format-preview.ts';

async function sample(profile: string): Promise<string> {
  return readFile(path.join(SAMPLES, `${profile}.xml`), 'utf8');
}

describe('google-vehicle-ads-xml', () => {
  it('never publishes a price whose own disclaimer leaves a fee out, whoever attests it', async () => {
    const file = path.join(SAMPLES, 'google-vehicle-ads-xml.xml');
    const { vehicles, warnings } = await preview(file, 'google-vehicle-ads-xml', 'HPM01', 'all_in');
    expect(vehicles.map(({ stock, price }) => [stock, price])).toEqual([
      ['HP26501', undefined],
      ['CP510', 38_900],
      ['00551', 19_750],
      ['HP26502', undefined],
    ]);
    expect(warnings.map(({ row, code }) => [row, code])).toEqual([
      [1, 'price_excludes_fees'],
      [4, 'price_missing'],
    ]);
  });

  it('refuses a news feed, which is RSS as well', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'news-'));
    const file = path.join(folder, 'news.xml');
    const items = '<item><title>Open house</title><link>https://www.example.com/1</link></item>'.repeat(3);
    await writeFile(file, `<rss version="2.0"><channel><title>News</title>${items}</channel></rss>`);
    const { file: verdict } = await preview(file, 'google-vehicle-ads-xml');
    expect(verdict).toMatchObject({ status: 'rejected', code: 'missing_required_column' });
  });
});

describe('dealerspike', () => {
  it('publishes photos in the order of their numbers', async () => {
    const name = 'dealerspike-powersports.xml';
    const file = path.join(await mkdtemp(path.join(tmpdir(), 'spike-')), name);
    const text = await readFile(path.join(CASES, name), 'utf8');
    const photo = (number: number) => `https://img.example.com/ps/n/${number}.jpg`;
    const images = [1, 10, 2].map((n) => `<Image${n}>${photo(n)}</Image${n}>`).join('');
    await writeFile(file, text.replace(/<images>[^]*?<\/images>/, `<images>${images}</images>`));
    const { vehicles } = await preview(file, 'dealerspike');
    expect(vehicles[0]?.photos).toEqual([1, 2, 10].map(photo));
  });
});

describe('cdk', () => {
  it.each(['Vehicle', 'ROW'])('reads older queries, whose vehicles are called %s', async (name) => {
    const usual = path.join(CASES, 'cdk-inventory-extract.xml');
    const older = path.join(await mkdtemp(path.join(tmpdir(), 'cdk-')), 'older.xml');
    const text = await readFile(usual, 'utf8');
    await writeFile(older, text.replaceAll('InventoryVehicle>', `${name}>`));
    const read = await preview(older, 'cdk');
    expect(read.accepted).toBe(14);
    expect(read.vehicles).toEqual((await preview(usual, 'cdk')).vehicles);
  });

  it('refuses vehicles of another vendor', async () => {
    const { file } = await preview(path.join(SAMPLES, 'pixelmotion.xml'), 'cdk');
    expect(file).toMatchObject({ status: 'rejected', code: 'missing_required_column' });
  });
});

describe('cdk-delta', () => {
  function actionsOf({ checked }: Outcome): string[] {
    return checked.map((row) => (row.kind === 'removal' ? `off ${row.removal.identity}` : row.kind));
  }

  it('takes off the lot what the file says is sold, though the feed is set to full', async () => {
    const outcome = await runProfile(await shippedProfile('cdk-delta'), await sample('cdk-delta'));
    expect(actionsOf(outcome)).toEqual([
      ...['accepted', 'accepted', 'off vin:5XYR5TDN2PU220200', 'accepted', 'rejected'],
    ]);
    expect(outcome.rejections.at(-1)).toEqual({
      ...{ row: 5, key: '3VW2B7AJ7EMA50305', reason: 'action_unknown' },
    });
  });

  it.each([
    ['DELIVERED', 'off vin:5NMJFCDE7THA50301'],
    ['Wholesale', 'off vin:5NMJFCDE7THA50301'],
    ['In Transit', 'accepted'],
    ['T', 'rejected'],
  ])('understands the state %s', async (state, action) => {
    const text = (await sample('cdk-delta')).replace('IN STOCK', state);
    const outcome = await runProfile(await shippedProfile('cdk-delta'), text);
    expect(actionsOf(outcome)[0]).toBe(action);
  });
});

describe('vehicle types, by the words of the format', () => {
  async function typesOf(profile: string, word: string, words: string[]): Promise<unknown[]> {
    const text = await sample(profile);
    const found = words.map(async (each) => {
      const outcome = await runProfile(await shippedProfile(profile), text.replace(word, `>${each}<`));
      return outcome.vehicles[0]?.vehicle_type;
    });
    return Promise.all(found);
  }

  it('of dealerspike', async () => {
    const words = ['Scooter', 'UTV', 'Snowmobile', 'Boat', 'Boat Trailer', 'Fifth Wheel', 'Zeppelin'];
    expect(await typesOf('dealerspike', '>Motorcycle<', words)).toEqual([
      ...['motorcycle', 'other', 'other', 'other', 'trailer', 'rv', 'other'],
    ]);
  });

  it('of ari', async () => {
    const words = [
      'Cargo / Enclosed Trailer',
      'Vending / Concession Trailer',
      'Side x Side',
      'Outboard Motor',
    ];
    expect(await typesOf('ari', '>Motorcycle / Scooter<', words)).toEqual([
      ...['trailer', 'trailer', 'other', 'other'],
    ]);
  });

  it('of cws, where a truck is no car and a pickup is', async () => {
    expect(await typesOf('cws', '>Truck<', ['Trucks', 'Pickup Truck', 'Lowboy Trailer'])).toEqual([
      ...['other', 'car', 'trailer'],
    ]);
  });
});

it('a feed of cws that names only the city finds the store by its feed_ids', async () => {
  const text = (await sample('cws')).replaceAll(/<name>.*?<\/name>/g, '');
  const rooftops = [
    rooftop('HPM01', 'Harbor Point Motors', ['Portland']),
    rooftop('CRA02', 'Cedar Ridge Auto Center', ['South Portland']),
  ];
  const rule = { rooftop: { kind: 'column' as const } };
  const { vehicles } = await runProfile(await shippedProfile('cws'), text, rule, rooftops);
  expect(vehicles.map(({ stock, dealer_id: dealer }) => [stock, dealer])).toEqual([
    ['TR901', 'CRA02'],
    ['TL902', 'CRA02'],
    ['EQ903', 'HPM01'],
    ['TR904', 'HPM01'],
  ]);
});
