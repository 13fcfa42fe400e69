import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Vehicle } from '../../src/model/vehicle.ts';

/** The case files and what must come of them (test/cases/feeds/manifest.json). */
export interface FeedCase {
  file: string;
  kind: string;
  encoding?: string;
  delimiter?: string;
  quoting?: string;
  container?: string;
  record_path?: string;
  locked_rooftop?: string;
  rows: number;
  expected: {
    file: string;
    accepted: number;
    rejected: number;
    accepted_keys?: string[];
    rejections?: { row: number; key: string; reason: string; detail: string }[];
    warnings?: { row: number; key: string; code: string }[];
  };
  samples?: { key: Partial<Vehicle>; vehicle: Partial<Vehicle>; absent?: (keyof Vehicle)[] }[];
  mapping: string | Record<string, unknown>;
}

interface Manifest {
  dealers: Record<string, { name: string }>;
  mappings: Record<string, Record<string, unknown>>;
  files: FeedCase[];
}

const CASES_FOLDER = fileURLToPath(new URL('../cases/feeds/', import.meta.url));

export async function readManifest(): Promise<Manifest> {
  return JSON.parse(await readFile(`${CASES_FOLDER}manifest.json`, 'utf8')) as Manifest;
}

/** The text of a case file, decoded as the manifest says. */
export async function readCaseText(feedCase: FeedCase): Promise<string> {
  const bytes = await readFile(CASES_FOLDER + feedCase.file);
  const encoding = feedCase.encoding?.split(' ')[0] ?? 'utf-8';
  return new TextDecoder(encoding === 'iso-8859-1' ? 'windows-1252' : encoding).decode(bytes);
}
