import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorFault } from '../../model/operator-fault.ts';
import { isSameSeal, sealOf } from './backup-key.ts';
import { errorCode } from '../../files/patience.ts';

export const MANIFEST = 'manifest.json';
const FORMAT = 1;
const MAX_MANIFEST_BYTES = 32 * 1024 * 1024;

export type BackupReason = 'nightly' | 'by hand' | 'before a migration' | 'before an upgrade';

/** What a backup holds: manifest.json in its folder. Written last, so that a folder without one is no backup. */
export interface BackupManifest {
  format: typeof FORMAT;
  /** Binds the encrypted files to this backup. */
  id: string;
  name: string;
  /** RFC 3339; the databases are as they were at this time or some seconds later, one after the other. */
  taken_at: string;
  reason: BackupReason;
  program_version: string;
  data_folder: string;
  databases: StoredDatabase[];
  files: StoredFile[];
  /** What was not taken along and why, for a person. */
  left_out: string[];
  encrypted: boolean;
  /** What was wrong with the copy; empty = good. A backup with faults never counts. */
  faults: string[];
  /** Of an encrypted backup: HMAC over everything else. */
  seal?: string;
}

export interface StoredDatabase {
  /** File name, such as leads.db. */
  name: string;
  /** Its number of migrations. */
  form: number;
  /** Rows of each table. */
  tables: Record<string, number>;
}

export interface StoredFile {
  kind: 'database' | 'adapter' | 'settings' | 'secret';
  /** Where it lies when put back: relative, with slashes. */
  path: string;
  /** Where it came from, for settings that lie outside the data folder. */
  from?: string;
  bytes: number;
  /** Where it lies in the backup's folder: relative, with slashes. */
  stored_as: string;
  stored_bytes: number;
  /** Of the bytes as they are stored, in hex. */
  sha256: string;
}

export function manifestText(manifest: BackupManifest, key: Buffer | undefined): string {
  const sealed = key === undefined ? manifest : { ...manifest, seal: sealOf(sealedText(manifest), key) };
  return `${JSON.stringify(sealed, null, 2)}\n`;
}

/** Undefined when the folder holds none; throws an OperatorFault when it holds one that is none of ours. */
export async function readManifest(folder: string): Promise<BackupManifest | undefined> {
  const file = join(folder, MANIFEST);
  try {
    const { size } = await stat(file);
    if (size > MAX_MANIFEST_BYTES) throw new OperatorFault(`${file} is too large to be a manifest.`);
    return checked(JSON.parse(await readFile(file, 'utf8')), file);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return undefined;
    if (error instanceof SyntaxError) throw new OperatorFault(`${file} is damaged.`, { cause: error });
    throw error;
  }
}

/** Throws when the manifest of an encrypted backup was not written with this key. */
export function checkSeal(manifest: BackupManifest, key: Buffer): void {
  if (isSameSeal(manifest.seal ?? '', sealOf(sealedText(manifest), key))) return;
  throw new OperatorFault(
    'Its manifest does not go with this key: it is another key, or the manifest was changed.',
  );
}

function sealedText({ seal: _, ...rest }: BackupManifest): string {
  return JSON.stringify(rest);
}

/** A manifest may come from anywhere: it must not lead out of its folder. */
function checked(value: unknown, file: string): BackupManifest {
  const manifest = value as Partial<BackupManifest> | null;
  if (manifest?.format !== FORMAT) {
    throw new OperatorFault(`${file} is no manifest that this program knows (format ${FORMAT}).`);
  }
  const isWhole =
    [manifest.id, manifest.name, manifest.taken_at, manifest.reason].every(
      (text) => typeof text === 'string',
    ) &&
    Number.isFinite(Date.parse(String(manifest.taken_at))) &&
    [manifest.databases, manifest.files, manifest.left_out, manifest.faults].every(Array.isArray);
  const whole = manifest as BackupManifest;
  const isSafe =
    isWhole &&
    whole.files.every(({ path, stored_as }) => isInside(path) && isInside(stored_as)) &&
    whole.databases.every(({ name }) => isInside(name) && !name.includes('/'));
  if (!isSafe) throw new OperatorFault(`${file} is damaged or was changed.`);
  return whole;
}

/** Relative, with slashes, without a step out, a drive or a stream of Windows. */
function isInside(path: unknown): boolean {
  return (
    typeof path === 'string' &&
    path.length < 1000 &&
    path.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && !/[\\:\0]/.test(part))
  );
}
