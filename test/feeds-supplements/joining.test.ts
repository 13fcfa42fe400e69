import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FeedConfig } from '../../src/config/config.ts';
import { openInventoryStore } from '../../src/inventory/store.ts';
import { Dealership } from '../feeds-intake/dealership.ts';
import { takeIn } from '../feeds-rules/drop-file.ts';
import { CAMRY, CIVIC, companionFeed, lotFile } from './lot-with-companions.ts';

let dealership: Dealership;
let lot: FeedConfig;
let links: FeedConfig;

const LINK_MAP = { vin: 'VIN', stock: 'Stock', dealer_id: 'Dealer', vdp_url: 'Link' };

beforeEach(async () => {
  dealership = await Dealership.open();
  lot = dealership.feed('aap', { rooftop: { kind: 'column' } });
  links = await companionFeed(dealership, 'links', { map: LINK_MAP }, { fields: ['vdp_url'] });
});

afterEach(async () => {
  await dealership.close();
});

/** The pages that are published, by VIN or stock number. */
function pages(): Record<string, unknown> {
  return Object.fromEntries([...dealership.listed()].map(([key, { vdp_url }]) => [key, vdp_url]));
}

function linkFile(...rows: [vin: string, stock: string, dealer: string, page: string][]): string {
  const lines = rows.map(
    ([vin, stock, dealer, page]) => `${vin},${stock},${dealer},https://a.example/${page}`,
  );
  return `VIN,Stock,Dealer,Link\n${lines.join('\n')}\n`;
}

describe('a row of a companion file', () => {
  it('goes by its VIN, and by its stock number in any letter case where it has none', async () => {
    await takeIn(
      lotFile({ vin: CIVIC, stock: 'a1' }, { vin: CAMRY, stock: 'A2' }, { stock: 'T3' }),
      lot,
      dealership,
    );
    const report = await takeIn(
      linkFile([CIVIC, '', '', 'civic'], ['', 'a2', '', 'camry'], ['', 't3', '', 'trailer']),
      links,
      dealership,
    );
    expect(report).toMatchObject({ status: 'ok', joined: { onLot: 3, notOnLot: 0 } });
    expect(pages()).toEqual({
      [CIVIC]: 'https://a.example/civic',
      [CAMRY]: 'https://a.example/camry',
      T3: 'https://a.example/trailer',
    });
  });

  it('with a VIN that is not on the lot does not go by its stock number to another VIN', async () => {
    await takeIn(lotFile({ vin: CIVIC, stock: 'A1' }), lot, dealership);
    const report = await takeIn(linkFile([CAMRY, 'A1', '', 'camry']), links, dealership);
    expect(report).toMatchObject({ joined: { onLot: 0, notOnLot: 1 }, accepted: 1 });
    expect(report.warnings).toMatchObject([{ row: 1, code: 'supplement_contradictory', value: 'A1' }]);
    expect(pages()).toEqual({ [CIVIC]: undefined });
  });

  it('whose VIN and stock number point at two vehicles goes by the VIN, and that is told', async () => {
    await takeIn(lotFile({ vin: CIVIC, stock: 'A1' }, { vin: CAMRY, stock: 'A2' }), lot, dealership);
    const report = await takeIn(linkFile([CIVIC, 'A2', '', 'civic']), links, dealership);
    expect(report.warnings).toMatchObject([
      {
        key: CIVIC,
        code: 'supplement_contradictory',
        message: `VIN and stock number belong to different vehicles: the VIN decides ("A2": that number is ${CAMRY}'s)`,
      },
    ]);
    expect(pages()).toEqual({ [CIVIC]: 'https://a.example/civic', [CAMRY]: undefined });
  });

  it('with a stock number of two vehicles adds to neither, until it names the rooftop', async () => {
    await takeIn(
      lotFile(
        { vin: CIVIC, stock: 'A1', dealer_id: 'HPM01' },
        { vin: CAMRY, stock: 'A1', dealer_id: 'CRA02' },
      ),
      lot,
      dealership,
    );
    const report = await takeIn(linkFile(['', 'A1', '', 'which']), links, dealership);
    expect(report).toMatchObject({ status: 'ok', joined: { onLot: 0, notOnLot: 1 } });
    expect(report.warnings).toMatchObject([{ key: 'A1', code: 'supplement_ambiguous' }]);
    expect(pages()).toEqual({ [CIVIC]: undefined, [CAMRY]: undefined });

    await takeIn(linkFile(['', 'A1', 'CRA02', 'camry']), links, dealership);
    expect(pages()).toEqual({ [CIVIC]: undefined, [CAMRY]: 'https://a.example/camry' });
  });

  it('stays with its vehicle when a second one with its stock number comes, until the next file cannot tell', async () => {
    await takeIn(lotFile({ vin: CIVIC, stock: 'A1' }), lot, dealership);
    await takeIn(linkFile(['', 'A1', '', 'civic']), links, dealership);
    expect(pages()).toEqual({ [CIVIC]: 'https://a.example/civic' });
    await takeIn(lotFile({ vin: CIVIC, stock: 'A1' }, { vin: CAMRY, stock: 'A1' }), lot, dealership);
    expect(pages()).toEqual({ [CIVIC]: 'https://a.example/civic', [CAMRY]: undefined });
    const report = await takeIn(linkFile(['', 'A1', '', 'civic']), links, dealership);
    expect(report.warnings).toMatchObject([{ key: 'A1', code: 'supplement_ambiguous' }]);
    expect(pages()).toEqual({ [CIVIC]: undefined, [CAMRY]: undefined });
  });

  it('stays with its vehicle when that gets another stock number and its own goes to another vehicle', async () => {
    await takeIn(lotFile({ vin: CIVIC, stock: 'A1' }), lot, dealership);
    await takeIn(linkFile(['', 'A1', '', 'civic']), links, dealership);
    await takeIn(lotFile({ vin: CIVIC, stock: 'A1B' }, { vin: CAMRY, stock: 'A1' }), lot, dealership);
    expect(pages()).toEqual({ [CIVIC]: 'https://a.example/civic', [CAMRY]: undefined });
    // The next file of the companion goes by the numbers as they are now.
    await takeIn(linkFile(['', 'A1', '', 'camry'], ['', 'A1B', '', 'civic']), links, dealership);
    expect(pages()).toEqual({ [CIVIC]: 'https://a.example/civic', [CAMRY]: 'https://a.example/camry' });
  });

  it('adds nothing to a vehicle that gets the stock number of one that is sold, before the next file', async () => {
    await takeIn(lotFile({ vin: CIVIC, stock: 'A1' }, { vin: '', stock: 'A2' }), lot, dealership);
    await takeIn(linkFile(['', 'A1', '', 'civic']), links, dealership);
    await takeIn(lotFile({ vin: CAMRY, stock: 'A1' }, { vin: '', stock: 'A2' }), lot, dealership);
    expect(pages()).toEqual({ [CAMRY]: undefined, A2: undefined });
    await takeIn(lotFile({ vin: CIVIC, stock: 'A1B' }, { vin: '', stock: 'A2' }), lot, dealership);
    expect(pages()).toEqual({ [CIVIC]: 'https://a.example/civic', A2: undefined });
  });

  it('stays with its vehicle when that moves to another rooftop, or gets its VIN', async () => {
    await takeIn(lotFile({ stock: 'A1' }, { stock: 'A2' }), lot, dealership);
    await takeIn(linkFile(['', 'A1', '', 'civic']), links, dealership);
    await takeIn(lotFile({ vin: CIVIC, stock: 'A1' }, { stock: 'A2' }), lot, dealership);
    expect(pages()).toEqual({ [CIVIC]: 'https://a.example/civic', A2: undefined });
    const moved = lotFile({ vin: CIVIC, stock: 'A1', dealer_id: 'CRA02' }, { stock: 'A2' });
    await takeIn(moved, lot, dealership);
    expect(pages()).toEqual({ [CIVIC]: 'https://a.example/civic', A2: undefined });
  });

  it('of a dealer that is not ours is refused', async () => {
    await takeIn(lotFile({ vin: CIVIC, stock: 'A1' }), lot, dealership);
    const report = await takeIn(
      linkFile([CIVIC, '', 'HPM01', 'civic'], ['', 'A1', 'OTHER', 'no']),
      links,
      dealership,
    );
    expect(report.rejections).toMatchObject([{ row: 2, code: 'rooftop_unknown', value: 'OTHER' }]);
    expect(pages()).toEqual({ [CIVIC]: 'https://a.example/civic' });
  });

  it('adds to no vehicle of a feed that is not named', async () => {
    const other = dealership.feed('aap', { id: 'other', rooftop: { kind: 'column' } });
    await takeIn(lotFile({ vin: CIVIC, stock: 'A1' }), other, dealership);
    const report = await takeIn(linkFile([CIVIC, 'A1', '', 'civic']), links, dealership);
    expect(report.joined).toEqual({ onLot: 0, notOnLot: 1 });
    expect(pages()).toEqual({ [CIVIC]: undefined });
  });

  it('that stands twice counts once, the last one, and the other is told', async () => {
    await takeIn(lotFile({ vin: CIVIC }), lot, dealership);
    const report = await takeIn(linkFile([CIVIC, '', '', 'one'], [CIVIC, '', '', 'two']), links, dealership);
    expect(report).toMatchObject({ status: 'partial', accepted: 1 });
    expect(report.rejections).toMatchObject([{ row: 1, code: 'duplicate_vin' }]);
    expect(pages()).toEqual({ [CIVIC]: 'https://a.example/two' });
  });

  it('without VIN and stock number is refused, one with nothing to add is told', async () => {
    await takeIn(lotFile({ vin: CIVIC }), lot, dealership);
    const report = await takeIn(
      `VIN,Stock,Dealer,Link\n${CIVIC},,,\n,,,https://a.example/x\n`,
      links,
      dealership,
    );
    expect(report.rejections).toMatchObject([{ row: 2, code: 'no_identity' }]);
    expect(report.warnings).toMatchObject([{ row: 1, code: 'supplement_empty' }]);
  });
});

describe('what is published', () => {
  it('is the companion’s where both have a value, unless it only fills', async () => {
    const file = lotFile(
      { vin: CIVIC, vdp_url: 'https://own.example/civic', description: 'Ours.' },
      { vin: CAMRY, description: 'Ours.' },
    );
    await takeIn(file, lot, dealership);
    await takeIn(linkFile([CIVIC, '', '', 'civic'], [CAMRY, '', '', 'camry']), links, dealership);
    expect(pages()).toEqual({ [CIVIC]: 'https://a.example/civic', [CAMRY]: 'https://a.example/camry' });

    const filling = { ...links, supplements: { ...links.supplements!, when_both: 'fill' as const } };
    await takeIn(linkFile([CIVIC, '', '', 'civic'], [CAMRY, '', '', 'camry']), filling, dealership);
    expect(pages()).toEqual({ [CIVIC]: 'https://own.example/civic', [CAMRY]: 'https://a.example/camry' });
    expect(dealership.listed().get(CIVIC)?.description).toBe('Ours.');
  });

  it('comes from several companions of one feed, each with its own fields', async () => {
    const texts = await companionFeed(
      dealership,
      'texts',
      { map: { vin: 'VIN', description: 'Text', other_attributes: { awards: 'Awards' } } },
      { fields: ['description', 'other_attributes'] },
    );
    await takeIn(lotFile({ vin: CIVIC, description: 'Ours.', list_price: 21000 }), lot, dealership);
    await takeIn(linkFile([CIVIC, '', '', 'civic']), links, dealership);
    await takeIn(`VIN,Text,Awards\n${CIVIC},Theirs.,Best buy\n`, texts, dealership);
    expect(dealership.listed().get(CIVIC)).toMatchObject({
      list_price: 21000,
      description: 'Theirs.',
      vdp_url: 'https://a.example/civic',
      other_attributes: { awards: 'Best buy' },
    });
    const [record] = dealership.store.findRecords(CIVIC);
    expect(record).toMatchObject({
      feedId: 'lot',
      supplements: [
        { feedId: 'links', fields: ['vdp_url'] },
        { feedId: 'texts', fields: ['description', 'other_attributes'] },
      ],
    });
  });

  it('is enriched from XML', async () => {
    const profile = path.join(dealership.folder, 'enrichment.yaml');
    await writeFile(
      profile,
      'reader: xml\noptions: { record: vehicle }\ncompanion: true\n' +
        'map: { vin: vin, features: equipment/item, electric_range_mi: range }\n',
    );
    const enrichment = dealership.feed(profile, {
      id: 'enrichment',
      rooftop: { kind: 'column' },
      supplements: { feeds: ['lot'], fields: ['features', 'electric_range_mi'], when_both: 'replace' },
    });
    await takeIn(lotFile({ vin: CIVIC }), lot, dealership);
    const report = await takeIn(
      `<vehicles><vehicle><vin>${CIVIC}</vin><make>Ignored</make><range>310</range><equipment>` +
        '<item>Heat Pump</item><item>Tow Hitch</item></equipment></vehicle></vehicles>',
      enrichment,
      dealership,
      { name: 'enrichment.xml' },
    );
    expect(report).toMatchObject({ status: 'ok', joined: { onLot: 1, notOnLot: 0 } });
    expect(dealership.listed().get(CIVIC)).toMatchObject({
      make: 'Honda',
      features: ['Heat Pump', 'Tow Hitch'],
      electric_range_mi: 310,
    });
  });

  it('loses what a delta companion asks to delete, by stock number too, and keeps the rest', async () => {
    const delta = { ...links, mode: 'delta' as const };
    const text = JSON.stringify({ reader: 'csv', companion: true, action: 'Action', map: LINK_MAP });
    await writeFile(links.profile, text);
    await takeIn(lotFile({ vin: CIVIC, stock: 'A1' }, { vin: CAMRY, stock: 'A2' }), lot, dealership);
    const header = 'Action,VIN,Stock,Dealer,Link\n';
    await takeIn(
      `${header}A,${CIVIC},A1,,https://a.example/civic\nA,${CAMRY},A2,,https://a.example/camry\n`,
      delta,
      dealership,
    );
    const report = await takeIn(`${header}D,,A1,,\n`, delta, dealership);
    expect(report).toMatchObject({ removalsAsked: 1, removed: 1 });
    expect(pages()).toEqual({ [CIVIC]: undefined, [CAMRY]: 'https://a.example/camry' });
  });
});

describe('updated_at', () => {
  const HOUR = 3_600_000;

  it('rises to the companion’s time only where it changes what is published', async () => {
    const day = Date.parse('2026-11-20T10:00:00Z');
    const at = (hours: number) => ({ at: day + hours * HOUR });
    await takeIn(lotFile({ vin: CIVIC }, { vin: CAMRY }), lot, dealership, at(0));
    const updated = (vin: string) => dealership.listed().get(vin)?.updated_at;

    await takeIn(linkFile([CIVIC, '', '', 'one']), links, dealership, at(2));
    expect([updated(CIVIC), updated(CAMRY)]).toEqual(['2026-11-20T12:00:00Z', '2026-11-20T10:00:00Z']);
    await takeIn(linkFile([CIVIC, '', '', 'one']), links, dealership, at(4));
    expect(updated(CIVIC)).toBe('2026-11-20T12:00:00Z');
    await takeIn(lotFile({ vin: CIVIC }, { vin: CAMRY }), lot, dealership, at(6));
    await takeIn(linkFile([CIVIC, '', '', 'two']), links, dealership, at(5));
    expect(updated(CIVIC)).toBe('2026-11-20T16:00:00Z');
    expect(pages()[CIVIC]).toBe('https://a.example/two');
    await takeIn(lotFile({ vin: CIVIC }, { vin: CAMRY }), lot, dealership, at(7));
    expect(updated(CIVIC)).toBe('2026-11-20T17:00:00Z');
    expect(pages()[CIVIC]).toBe('https://a.example/two');
  });
});

describe('a companion feed that is taken out of the settings', () => {
  it('has no effect from the next start on, and begins anew when it comes back', async () => {
    await takeIn(lotFile({ vin: CIVIC }), lot, dealership);
    await takeIn(linkFile([CIVIC, '', '', 'civic']), links, dealership);
    dealership.store.configureSupplements(new Map([['links', links.supplements!]]));
    expect(pages()).toEqual({ [CIVIC]: 'https://a.example/civic' });
    dealership.store.configureSupplements(new Map());
    expect(pages()).toEqual({ [CIVIC]: undefined });
    dealership.store.configureSupplements(new Map([['links', links.supplements!]]));
    expect(pages()).toEqual({ [CIVIC]: undefined });
    await takeIn(linkFile([CIVIC, '', '', 'civic']), links, dealership);
    expect(pages()).toEqual({ [CIVIC]: 'https://a.example/civic' });
  });

  it('that owns less than before gives only that', async () => {
    const both = await companionFeed(
      dealership,
      'both',
      { map: { vin: 'VIN', vdp_url: 'Link', description: 'Text' } },
      { fields: ['vdp_url', 'description'] },
    );
    await takeIn(lotFile({ vin: CIVIC }), lot, dealership);
    await takeIn(`VIN,Link,Text\n${CIVIC},https://a.example/civic,Theirs.\n`, both, dealership);
    dealership.store.configureSupplements(
      new Map([['both', { ...both.supplements!, fields: ['description'] }]]),
    );
    expect(pages()).toEqual({ [CIVIC]: undefined });
    expect(dealership.listed().get(CIVIC)?.description).toBe('Theirs.');
  });
});

describe('a run that breaks off', () => {
  it('between staging and applying leaves no trace', async () => {
    await takeIn(lotFile({ vin: CIVIC }), lot, dealership);
    await takeIn(linkFile([CIVIC, '', '', 'civic']), links, dealership);
    const run = await dealership.store.beginRun({
      ...{ runId: 'run_1', feedId: 'links', mode: 'full', confirmedAt: dealership.now },
      supplements: { ...links.supplements!, gather: false },
    });
    const vehicle = { vin: CIVIC, vdp_url: 'https://a.example/new' };
    const place = { row: 1, line: 2, key: CIVIC, rooftopId: '*', identity: `vin:${CIVIC}` };
    await run.stage([{ ...place, vehicle, contentHash: '' }]);
    expect(await run.compare()).toMatchObject([{ rooftopId: '*', before: 1, changed: 1, removed: 0 }]);
    await run.discard();
    expect(pages()).toEqual({ [CIVIC]: 'https://a.example/civic' });
  });

  it('shows another connection the old or the new texts, never some of both', async () => {
    await takeIn(lotFile({ vin: CIVIC }, { vin: CAMRY }), lot, dealership);
    const reader = openInventoryStore(path.join(dealership.folder, 'inventory.db'), { readonly: true });
    try {
      const rowIds = [...reader.readAllForLot()].map(({ rowId }) => rowId);
      const version = reader.dataVersion();
      await takeIn(linkFile([CIVIC, '', '', 'a'], [CAMRY, '', '', 'b']), links, dealership);
      expect(reader.dataVersion()).not.toBe(version);
      expect(reader.readListingTexts(rowIds).map((text) => text?.includes('https://a.example/'))).toEqual([
        true,
        true,
      ]);
    } finally {
      reader.close();
    }
  });
});
