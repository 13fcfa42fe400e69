import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Preview } from '../../src/feeds/preview.ts';
import type { Vehicle } from '../../src/model/vehicle.ts';
import { preview, SAMPLES, told, type Told } from './format-preview.ts';

/** One format: its sample, and what must come of it with the profile that is shipped. */
export interface XmlFormat {
  /** The profile; the sample in samples/feeds/formats has the same name. */
  profile: string;
  /** Every vehicle that the sample brings, by VIN or else by stock number. */
  keys: string[];
  /** Whole vehicles, but for the time of the file. */
  vehicles: Vehicle[];
  rejections: Told[];
  warnings: Told[];
  /** Texts of the sample that must not come out anywhere: costs, marks and addresses that are no part of a listing. */
  secrets: string[];
}

export function describeXmlFormat(format: XmlFormat): void {
  describe(`a file of the format ${format.profile}`, () => {
    async function taken(): Promise<Preview> {
      return preview(path.join(SAMPLES, `${format.profile}.xml`), format.profile);
    }

    it('brings its vehicles with every field', async () => {
      const { file, vehicles } = await taken();
      expect(file).toEqual({ status: 'accepted', encoding: 'utf-8' });
      expect(vehicles.map(({ vin, stock }) => vin ?? stock)).toEqual(format.keys);
      const untimed = vehicles.map(({ updated_at: _, ...vehicle }) => vehicle);
      for (const expected of format.vehicles) {
        const found = untimed.find(({ stock }) => stock === expected.stock);
        expect(found).toEqual({ status: 'available', ...expected });
      }
    });

    it('has its faults told', async () => {
      const { rejections, warnings } = await taken();
      expect(rejections.map(told)).toEqual(format.rejections);
      expect(warnings.map(told)).toEqual(format.warnings);
    });

    it('keeps to itself what is not to be published', async () => {
      const text = JSON.stringify(await taken());
      for (const secret of format.secrets) expect(text).not.toContain(secret);
    });
  });
}
