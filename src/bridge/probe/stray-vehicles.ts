import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Config } from '../../config/config.ts';
import { vehicleOwners } from '../../inventory/vehicle-owners.ts';
import type { Finding } from '../../model/finding.ts';
import { strayFindings, strayVehicles } from '../stray-vehicles.ts';

/** Vehicles that a start with these settings would not show. What is wrong with the database is told elsewhere. */
export function strayVehicleFindings({ data_folder: dataFolder, feeds, dealer }: Config): Finding[] {
  const file = join(dataFolder, 'inventory.db');
  if (!existsSync(file)) return [];
  let database: Database.Database | undefined;
  try {
    database = new Database(file, { readonly: true, fileMustExist: true });
    return strayFindings(strayVehicles(vehicleOwners(database), { feeds, rooftops: dealer.rooftops }));
  } catch {
    return [];
  } finally {
    database?.close();
  }
}
