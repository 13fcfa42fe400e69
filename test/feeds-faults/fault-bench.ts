import { mkdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { FeedConfig } from '../../src/config/config.ts';
import { ingestFile } from '../../src/feeds/ingest.ts';
import type { ReportedRow, RunReport } from '../../src/feeds/reporting/report.ts';
import { Dealership } from '../feeds-intake/dealership.ts';

/** One plain vehicle; a test says only what is different. */
const VEHICLE = {
  ...{ DealerID: 'HPM01', Stock: 'A1', VIN: '', Type: 'Used', Certified: '', Year: '2020', Make: 'Honda' },
  ...{ Model: 'Civic', Trim: '', Miles: '', SellingPrice: '20000', MSRP: '', Color: '', DateInStock: '' },
  ...{ Description: '', Options: '', ImageList: '' },
};
export type Column = keyof typeof VEHICLE;
export type Row = Partial<Record<Column, string>>;
export const COLUMNS = Object.keys(VEHICLE) as Column[];

const MAP = {
  ...{ dealer_id: 'DealerID', stock: 'Stock', vin: 'VIN', year: 'Year', make: 'Make', model: 'Model' },
  ...{ trim: 'Trim', mileage: 'Miles', list_price: 'SellingPrice', msrp: 'MSRP', exterior_color: 'Color' },
  ...{ inventory_date: 'DateInStock', description: 'Description', photos: 'ImageList' },
  condition: { column: 'Type', certified: 'Certified' },
  features: { column: 'Options', separator: ',' },
};

interface ProfileParts {
  reader?: string;
  options?: Record<string, unknown>;
  /** In place of the usual ones. */
  map?: Record<string, unknown>;
  [key: string]: unknown;
}

export interface Way {
  name?: string;
  /** When it was written, ms since 1970. */
  at?: number;
  feed?: Partial<FeedConfig>;
  profile?: ProfileParts;
}

/** A table as RFC 4180 writes it: quotes only where they are needed. */
export function table(rows: readonly Row[], { delimiter = ',', columns = COLUMNS } = {}): string {
  const lines = rows.map((row) => columns.map((column) => row[column] ?? VEHICLE[column]));
  const written = (value: string): string =>
    /["\r\n]/.test(value) || value.includes(delimiter) ? `"${value.replaceAll('"', '""')}"` : value;
  return [columns, ...lines].map((values) => `${values.map(written).join(delimiter)}\n`).join('');
}

/** So many vehicles, A0, A1, … */
export function vehicles(count: number, from = 0, more: Row = {}): Row[] {
  return Array.from({ length: count }, (_, index) => ({ Stock: `A${from + index}`, ...more }));
}

/** A dealership whose feed takes in what a test writes; every file goes the whole way onto a real lot. */
/** How `xmlVehicles` are read. */
export const XML_PROFILE = {
  reader: 'xml',
  options: { record: 'v' },
  map: { stock: 's', year: 'y', make: 'm', model: 'n', condition: 'c' },
};

/** The first of `vehicles`, as elements of a document. */
export function xmlVehicles(count: number): string {
  return vehicles(count)
    .map(({ Stock }) => `<v><s>${Stock}</s><y>2020</y><m>Kia</m><n>Rio</n><c>used</c></v>`)
    .join('');
}

export class FaultBench {
  #dealership: Dealership | undefined;
  #profiles = 0;

  get dealership(): Dealership {
    if (this.#dealership === undefined) throw new Error('the bench is not set up');
    return this.#dealership;
  }

  async open(): Promise<void> {
    this.#dealership = await Dealership.open();
  }

  async close(): Promise<void> {
    await this.dealership.close();
  }

  async feed({ feed = {}, profile = {} }: Way = {}): Promise<FeedConfig> {
    const { reader = 'csv', options = {}, map = MAP, ...more } = profile;
    this.#profiles += 1;
    const file = path.join(this.dealership.folder, `profile-${this.#profiles}.yaml`);
    // JSON is YAML.
    await writeFile(file, JSON.stringify({ description: 'a test', reader, options, map, ...more }));
    return this.dealership.feed(file, feed);
  }

  async take(content: string | Uint8Array, way: Way = {}): Promise<RunReport> {
    const feed = await this.feed(way);
    await mkdir(feed.folder, { recursive: true });
    const file = path.join(feed.folder, way.name ?? 'lot.csv');
    await writeFile(file, content);
    const seconds = (way.at ?? this.dealership.now) / 1000;
    await utimes(file, seconds, seconds);
    const report = await ingestFile(file, feed, this.dealership.services());
    if (report === undefined) throw new Error('the file was not taken');
    return report;
  }

  takeRows(rows: readonly Row[], way: Way = {}): Promise<RunReport> {
    return this.take(table(rows), way);
  }

  /** What is published, by VIN or else stock number. */
  get lot(): Map<string, Record<string, unknown>> {
    return this.dealership.listed();
  }

  get keys(): string[] {
    return [...this.lot.keys()].sort();
  }
}

/** A new dealership for each test. */
export function faultBench(): FaultBench {
  const bench = new FaultBench();
  beforeEach(() => bench.open());
  afterEach(() => bench.close());
  return bench;
}

/** Row number and code of each. */
export function codes(rows: readonly ReportedRow[]): [row: number, code: string][] {
  return rows.map(({ row, code }) => [row, code]);
}
