import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import type { StagedRemoval, StagedVehicle } from '../../src/model/intake.ts';
import type { SaleCondition, Vehicle } from '../../src/model/vehicle.ts';

/** The snapshot case files as the feeds would stage them: only what these tests look at is mapped. */
export interface CaseFile {
  vehicles: StagedVehicle[];
  removals: StagedRemoval[];
}

export function readCaseFile(name: string): CaseFile {
  const text = readFileSync(new URL(`../cases/feeds/quirks/${name}`, import.meta.url), 'utf8');
  const records: Record<string, string>[] = parse(text, { columns: true });
  const file: CaseFile = { vehicles: [], removals: [] };
  for (const [index, record] of records.entries()) {
    const rooftopId = record.DealerID ?? '';
    const vehicle = vehicleOf(record);
    if (record.Action === 'D') {
      const identity = identityOf(vehicle);
      file.removals.push({ row: index + 1, line: index + 2, key: identity, rooftopId, identity });
    } else {
      file.vehicles.push(stagedVehicle(vehicle, { row: index + 1, rooftopId }));
    }
  }
  return file;
}

export function stagedVehicle(vehicle: Vehicle, place: { row: number; rooftopId: string }): StagedVehicle {
  return {
    ...place,
    line: place.row + 1,
    key: vehicle.vin ?? vehicle.stock ?? '',
    identity: identityOf(vehicle),
    vehicle,
    contentHash: createHash('sha256').update(JSON.stringify(vehicle)).digest('hex'),
  };
}

export function identityOf({ vin, stock, vehicle_id }: Vehicle): string {
  if (vin !== undefined) return `vin:${vin}`;
  return stock === undefined ? `id:${(vehicle_id ?? '').toUpperCase()}` : `stock:${stock.toUpperCase()}`;
}

function vehicleOf(record: Record<string, string>): Vehicle {
  const [month, day, year] = (record.DateInStock ?? '').split('/');
  return {
    vin: record.VIN ?? '',
    stock: record.Stock ?? '',
    dealer_id: record.DealerID ?? '',
    year: Number(record.Year),
    make: record.Make ?? '',
    model: record.Model ?? '',
    trim: record.Trim ?? '',
    condition: conditionOf(record),
    status: 'available',
    list_price: Number(record.SellingPrice),
    mileage: Number(record.Miles),
    exterior_color: record.ExteriorColor ?? '',
    inventory_date: `${year ?? ''}-${month ?? ''}-${day ?? ''}`,
  };
}

function conditionOf(record: Record<string, string>): SaleCondition {
  if (record.Type === 'New') return 'new';
  return record.Certified === 'True' ? 'cpo' : 'used';
}
