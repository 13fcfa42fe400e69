import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Preview } from '../../src/feeds/preview.ts';
import type { Vehicle } from '../../src/model/vehicle.ts';
import { preview, SAMPLES, told, type Told } from './format-preview.ts';

/** One format: its sample, and what must come of it with the profile that is shipped. */
export interface DelimitedFormat {
  /** In samples/feeds/formats, named as its profile. */
  sample: string;
  encoding?: string;
  delimiter: string;
  /** Every vehicle that the sample brings, by VIN or stock number. */
  keys: string[];
  /** Whole vehicles, but for the time of the file. */
  vehicles: Vehicle[];
  rejections: Told[];
  warnings?: Told[];
}

export function describeFormat(format: DelimitedFormat): void {
  const profile = path.parse(format.sample).name;

  describe(`a file of the format ${profile}`, () => {
    async function taken(): Promise<Preview> {
      return preview(path.join(SAMPLES, format.sample), profile, 'LPO03');
    }

    it('is recognised', async () => {
      const { file } = await taken();
      const { encoding = 'utf-8', delimiter } = format;
      expect(file).toEqual({ status: 'accepted', encoding, delimiter });
    });

    it('brings its vehicles with every field', async () => {
      const { vehicles } = await taken();
      expect(vehicles.map(({ vin, stock }) => vin ?? stock)).toEqual(format.keys);
      for (const expected of format.vehicles) {
        const found = vehicles.find(({ vin, stock }) => vin === expected.vin && stock === expected.stock);
        const { updated_at: updatedAt, ...vehicle } = found ?? {};
        expect(vehicle).toEqual({ status: 'available', ...expected });
        expect(updatedAt).toBe('2026-11-30T00:00:00Z');
      }
    });

    it('has its faults told', async () => {
      const { rejections, warnings } = await taken();
      expect(rejections.map(told)).toEqual(format.rejections);
      expect(warnings.map(told)).toEqual(format.warnings ?? []);
    });
  });
}
