import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FeedConfig } from '../../src/config/config.ts';
import { Dealership } from '../feeds-intake/dealership.ts';
import { filesIn, takeIn } from '../feeds-rules/drop-file.ts';
import { CASES, SAMPLES, takeInCase } from './lot-with-companions.ts';

let dealership: Dealership;
let lot: FeedConfig;
let photos: FeedConfig;

beforeEach(async () => {
  dealership = await Dealership.open();
  lot = dealership.feed('carscom', { rooftop: { kind: 'column' } });
  photos = dealership.feed('carscom-photos', {
    id: 'photos',
    rooftop: { kind: 'column' },
    supplements: { feeds: ['lot'], fields: ['photos'], when_both: 'replace' },
  });
});

afterEach(async () => {
  await dealership.close();
});

const VEHICLES = path.join(CASES, 'carscom-vehicles.txt');
const IMAGES = path.join(CASES, 'carscom-images.txt');
const IONIQ = 'KM8KRDDF7TUA90201';

function photosOf(place: string): string[] {
  return [1, 2, 3].map((number) => `https://img.example.com/cra02/${place}/${number}.jpg`);
}

describe('the two files of Cars.com', () => {
  it('make vehicles with photos in the order of their numbers, vehicles first', async () => {
    await takeInCase(VEHICLES, lot, dealership);
    expect(dealership.listed().get(IONIQ)).not.toHaveProperty('photos');
    const report = await takeInCase(IMAGES, photos, dealership);
    expect(report).toMatchObject({
      status: 'ok',
      rows: 36,
      accepted: 36,
      rejected: 0,
      joined: { onLot: 12, notOnLot: 0 },
      warnings: [],
      rooftops: [{ rooftopId: 'CRA02', before: 0, added: 12, changed: 0, unchanged: 0, removed: 0 }],
    });
    const listed = dealership.listed();
    expect(listed.size).toBe(12);
    expect(listed.get(IONIQ)).toMatchObject({ list_price: 48900, photos: photosOf('c26-014') });
    expect(listed.get('2T3P1RFV6KWA90212')).toMatchObject({ photos: photosOf('cu406') });
  });

  it('make the same whichever comes first', async () => {
    const early = await takeInCase(IMAGES, photos, dealership);
    expect(early).toMatchObject({ status: 'ok', joined: { onLot: 0, notOnLot: 12 } });
    expect(dealership.listed().size).toBe(0);
    await takeInCase(VEHICLES, lot, dealership);
    const photosFirst = dealership.listed();

    const other = await Dealership.open();
    other.now = dealership.now;
    try {
      const there = (feed: FeedConfig): FeedConfig => ({
        ...feed,
        folder: path.join(other.folder, 'inbox', feed.id),
      });
      await takeInCase(VEHICLES, there(lot), other);
      await takeInCase(IMAGES, there(photos), other);
      expect(photosFirst.size).toBe(12);
      expect(other.listed()).toEqual(photosFirst);
    } finally {
      await other.close();
    }
  });

  it('keep the photos while the second file is late, also of vehicles that have changed', async () => {
    await takeInCase(VEHICLES, lot, dealership);
    await takeInCase(IMAGES, photos, dealership);
    const next = (await readFile(VEHICLES, 'utf8')).replace('\t48900\t', '\t47500\t');
    await takeIn(next, lot, dealership, { name: 'next.txt' });
    expect(dealership.listed().get(IONIQ)).toMatchObject({ list_price: 47500, photos: photosOf('c26-014') });
  });

  it('let the photos alone neither keep a vehicle on the lot nor bring it back', async () => {
    await takeInCase(VEHICLES, lot, dealership);
    await takeInCase(IMAGES, photos, dealership);
    const rows = (await readFile(VEHICLES, 'utf8')).split('\n');
    await takeIn(rows.filter((row) => !row.includes(IONIQ)).join('\n'), lot, dealership);
    expect(dealership.listed().has(IONIQ)).toBe(false);
    const report = await takeInCase(IMAGES, photos, dealership);
    expect(report).toMatchObject({ status: 'ok', joined: { onLot: 11, notOnLot: 1 } });
    expect(dealership.listed().has(IONIQ)).toBe(false);
    expect(dealership.store.findVehicle({ vin: IONIQ })).toHaveProperty('leftAt');

    await takeInCase(VEHICLES, lot, dealership);
    expect(dealership.listed().get(IONIQ)).toMatchObject({ photos: photosOf('c26-014') });
  });

  it('take photos back that a complete photo file no longer has', async () => {
    await takeInCase(VEHICLES, lot, dealership);
    await takeInCase(IMAGES, photos, dealership);
    const rows = (await readFile(IMAGES, 'utf8')).split('\n');
    const report = await takeIn(
      rows.filter((row) => !row.includes('C26-014')).join('\n'),
      photos,
      dealership,
    );
    expect(report).toMatchObject({ status: 'ok', removed: 1, unchanged: 11 });
    const listed = dealership.listed();
    expect(listed.get(IONIQ)).toMatchObject({ list_price: 48900 });
    expect(listed.get(IONIQ)).not.toHaveProperty('photos');
    expect(listed.get('5NMJFCDE7THA90202')).toMatchObject({ photos: photosOf('c26-015') });
  });

  it('hold a photo file that has lost half of the vehicles, until a person releases it', async () => {
    await takeInCase(VEHICLES, lot, dealership);
    await takeInCase(IMAGES, photos, dealership);
    const half = (await readFile(IMAGES, 'utf8')).split('\n').slice(0, 13).join('\n');
    const report = await takeIn(`${half}\n`, photos, dealership, { name: 'half.txt' });
    expect(report).toMatchObject({ status: 'held', problem: { code: 'companion_shrink' } });
    expect(report.problem?.message).toContain('CRA02: 8 of 12');
    expect(dealership.listed().get('2T3P1RFV6KWA90212')).toMatchObject({ photos: photosOf('cu406') });
    expect((await filesIn('held', photos, dealership)).some((name) => name.endsWith('half.txt'))).toBe(true);

    const again = await takeIn(`${half}\n`, photos, dealership, { name: 'half.txt' });
    expect(again).toMatchObject({ status: 'ok', removed: 8, releasedBy: 'same file again' });
    const listed = dealership.listed();
    expect(listed.size).toBe(12);
    expect(listed.get('2T3P1RFV6KWA90212')).not.toHaveProperty('photos');
  });

  it('do not hold a photo file that has only lost vehicles which are gone', async () => {
    await takeInCase(VEHICLES, lot, dealership);
    await takeInCase(IMAGES, photos, dealership);
    const sold = (await readFile(VEHICLES, 'utf8')).split('\n').slice(0, 7).join('\n');
    const large = { ...lot, guard: { max_removed_percent: 100, max_removed_vehicles: 100 } };
    await takeIn(`${sold}\n`, large, dealership, { name: 'sold.txt' });
    await takeIn(`${sold}\n`, large, dealership, { name: 'sold.txt' });
    expect(dealership.listed().size).toBe(6);
    const half = (await readFile(IMAGES, 'utf8')).split('\n').slice(0, 19).join('\n');
    const report = await takeIn(`${half}\n`, photos, dealership, { name: 'half.txt' });
    expect(report).toMatchObject({ status: 'ok', removed: 6, joined: { onLot: 6, notOnLot: 0 } });
  });

  it.each([
    ['the photos', IMAGES, 'lot', 'carscom-photos'],
    ['the vehicles', VEHICLES, 'photos', 'carscom'],
  ])('refuse %s in the folder of the other and say what they are', async (_, file, id, profile) => {
    await takeInCase(VEHICLES, lot, dealership);
    await takeInCase(IMAGES, photos, dealership);
    const before = dealership.listed();
    const report = await takeInCase(file, id === 'lot' ? lot : photos, dealership);
    expect(report).toMatchObject({ status: 'failed', problem: { code: 'missing_required_column' } });
    expect(report.problem?.message).toContain(`with the profile ${profile})`);
    expect(dealership.listed()).toEqual(before);
  });

  it('give the samples that are shipped', async () => {
    await takeInCase(path.join(SAMPLES, 'carscom.txt'), lot, dealership);
    const report = await takeInCase(path.join(SAMPLES, 'carscom-photos.txt'), photos, dealership);
    expect(report).toMatchObject({ status: 'ok', rows: 7, joined: { onLot: 3, notOnLot: 1 } });
    expect(dealership.listed().get('5NMP2DGL7TH062001')?.photos).toEqual([
      'https://img.example.com/cra02/cr6201/1.jpg',
      'https://img.example.com/cra02/cr6201/2.jpg',
      'https://img.example.com/cra02/cr6201/10.jpg',
    ]);
    expect(dealership.listed().get('4S4BTACCXM3062002')?.photos).toEqual([
      'https://img.example.com/cra02/cr6202/1.jpg',
    ]);
  });
});

describe('the two files of Cox Australia', () => {
  it('make vehicles with the addresses of their pages', async () => {
    const vehicles = dealership.feed('cox-au', { rooftop: { kind: 'column' } });
    const pages = dealership.feed('cox-au-pages', {
      id: 'pages',
      rooftop: { kind: 'column' },
      supplements: { feeds: ['lot'], fields: ['vdp_url'], when_both: 'replace' },
    });
    await takeInCase(path.join(SAMPLES, 'cox-au.csv'), vehicles, dealership);
    const report = await takeInCase(path.join(SAMPLES, 'cox-au-pages.csv'), pages, dealership);
    expect(report).toMatchObject({ status: 'ok', joined: { onLot: 2, notOnLot: 1 } });
    const listed = dealership.listed();
    const hilux = listed.get('MR0FA3CDXP0061004');
    expect(hilux?.vdp_url).toBe('https://www.harborpointmotors.example.com/stock/au7001');
    // The picture for lists is not among the fields of this feed, so the full list of photos stays.
    expect(hilux?.photos).toHaveLength(2);
    expect(listed.get('MNALMFF24NW062004')?.vdp_url).toBe(
      'https://www.cedarridgeauto.example.com/stock/au7002',
    );
  });
});

describe('the dealer file of DMS14', () => {
  const DEALERS =
    'HPM01,Harbor Point Motors,1 Quay Street,Portland,Maine,ME1 1AA,02075550100,sales@harbor.example\n' +
    'CRA02,Cedar Ridge Auto Center,2 Ridge Road,Portland,Maine,ME1 1AB,02075550200,sales@cedar.example\n';

  it('in the folder of the vehicle file is refused in words that say what it is, and harms nothing', async () => {
    const vehicles = dealership.feed('dms14', { rooftop: { kind: 'column' } });
    await takeInCase(path.join(SAMPLES, 'dms14.csv'), vehicles, dealership);
    const before = dealership.listed();
    expect(before.size).toBe(3);
    const report = await takeIn(DEALERS, vehicles, dealership, { name: 'dealers.csv' });
    expect(report).toMatchObject({ status: 'failed', problem: { code: 'no_vehicles' } });
    expect(report.problem?.message).toContain(
      'the dealer file (names and addresses of dealers) is not needed',
    );
    expect(dealership.listed()).toEqual(before);
  });
});
