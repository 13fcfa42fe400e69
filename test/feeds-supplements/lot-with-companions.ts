import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FeedConfig } from '../../src/config/config.ts';
import type { RunReport } from '../../src/feeds/reporting/report.ts';
import type { SupplementRule } from '../../src/model/supplement.ts';
import type { Dealership } from '../feeds-intake/dealership.ts';
import { takeIn } from '../feeds-rules/drop-file.ts';

export const CASES = path.join(import.meta.dirname, '..', 'cases', 'feeds');
export const SAMPLES = path.join(import.meta.dirname, '..', '..', 'samples', 'feeds', 'formats');

export const CIVIC = '4S4BTACCXM3062002';
export const CAMRY = '3TMCZ5AN4KM063001';

const LOT_HEADER =
  'vin,stock,dealer_id,year,make,model,condition,msrp,list_price,price,photos,vdp_url,description';

/** Rows of the feed that decides which vehicles there are, in AAP's own columns. */
export interface LotRow {
  vin?: string;
  stock?: string;
  dealer_id?: string;
  msrp?: number;
  list_price?: number;
  price?: number;
  photos?: string;
  vdp_url?: string;
  description?: string;
}

export function lotFile(...rows: LotRow[]): string {
  const lines = rows.map((row) =>
    [
      ...[row.vin, row.stock, row.dealer_id ?? 'HPM01', 2024, 'Honda', 'Civic', 'used', row.msrp],
      ...[row.list_price, row.price, row.photos, row.vdp_url, row.description],
    ].join(','),
  );
  return `${[LOT_HEADER, ...lines].join('\n')}\n`;
}

/** A profile for a companion file with columns of AAP's own names. */
export async function companionFeed(
  dealership: Dealership,
  id: string,
  { map, gather, ...feed }: { map: Record<string, unknown>; gather?: object } & Partial<FeedConfig>,
  supplements: Partial<SupplementRule>,
): Promise<FeedConfig> {
  const file = path.join(dealership.folder, `${id}.yaml`);
  const profile = { reader: 'csv', companion: true, map, ...(gather && { gather }) };
  await writeFile(file, JSON.stringify(profile));
  return dealership.feed(file, {
    id,
    rooftop: { kind: 'column' },
    supplements: { feeds: ['lot'], fields: [], when_both: 'replace', ...supplements },
    ...feed,
  });
}

export async function takeInCase(file: string, feed: FeedConfig, dealership: Dealership): Promise<RunReport> {
  return takeIn(await readFile(file, 'utf8'), feed, dealership, { name: path.basename(file) });
}
