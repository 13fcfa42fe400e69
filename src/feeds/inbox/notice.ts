import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { isUtf8 } from 'node:buffer';
import { isSystemFile } from '../system-files.ts';
import { byName } from './file-name.ts';
import { errorCode } from '../../files/patience.ts';

export interface NoticedFile {
  path: string;
  name: string;
  /** Bytes. */
  size: number;
  /** Milliseconds since 1970. */
  modifiedAt: number;
}

export interface Noticed {
  /** Regular files to take in, oldest first. */
  files: NoticedFile[];
  /** What lies there and is not taken, with the reason for the log. */
  leftAlone: { name: string; reason: string }[];
}

export interface NoticeOptions {
  /** A glob of `*` and `?`; upper and lower case count the same, as they do on Windows. */
  files: string;
  /** A file is there only once another one with its name and this ending is; that one only says "done". */
  doneMarker?: string;
}

/** Names under which uploaders, browsers and editors write what is not finished yet, or that a file is open (`~$x`). */
const UNFINISHED =
  /\.(part|partial|tmp|temp|filepart|crdownload|download|upload|uploading|incomplete|swp)$|~$|^~\$/i;
/** An old state that somebody kept, which would bring sold vehicles back, or the mark that a file is in use. */
const SET_ASIDE = /\.(bak|backup|old|orig|lock|lck)$/i;
const REPORT = /\.report\.(txt|json)$/i;
/** Reads like an export, and is a small part of one: taken in as a full file it would empty the lot. */
const REJECTS = /\.rejects\.csv$/i;

/** Looks into a folder. Nothing is opened: a device or a link could block or lead out of the folder. */
export async function notice(folder: string, options: NoticeOptions): Promise<Noticed> {
  const matches = globMatcher(options.files);
  const noticed: Noticed = { files: [], leftAlone: [] };
  const entries = await readdir(folder, { encoding: 'buffer' });
  const isReady = markerCheck(entries, options.doneMarker);
  for (const bytes of entries) {
    const name = bytes.toString();
    if ((isPassedOver(name) && !isSetAside(name)) || !isReady(name)) continue;
    if (isListOfRejects(name)) {
      noticed.leftAlone.push({ name, reason: 'it is the list of refused rows of an earlier run' });
      continue;
    }
    const file = isUtf8(bytes) ? await lookAt(folder, name) : 'its name is not UTF-8; rename it';
    if (file === undefined) continue;
    if (typeof file === 'string') noticed.leftAlone.push({ name, reason: file });
    else if (isSetAside(name))
      noticed.leftAlone.push({
        name,
        reason: 'its name says that it is a backup or a lock; rename it if not',
      });
    else if (matches(name)) noticed.files.push(file);
    else noticed.leftAlone.push({ name, reason: `its name does not match ${options.files}` });
  }
  noticed.files.sort((a, b) => a.modifiedAt - b.modifiedAt || byName(a.name, b.name));
  return noticed;
}

/**
 * True for names that are never taken in, wherever files are looked for: hidden files and those of operating systems, among them what `check --probe`
 * writes for a moment, unfinished ones, backups and locks, our own reports.
 */
export function isPassedOver(name: string): boolean {
  return isSystemFile(name) || UNFINISHED.test(name) || SET_ASIDE.test(name) || REPORT.test(name);
}

function isSetAside(name: string): boolean {
  return SET_ASIDE.test(name) && !name.startsWith('.');
}

/** True for the names of our lists of refused rows, wherever they come from. */
export function isListOfRejects(name: string): boolean {
  return REJECTS.test(name);
}

/** True for the names that a pattern of `*` (any run of characters) and `?` (any one) describes. */
export function globMatcher(pattern: string): (name: string) => boolean {
  const source = pattern
    .replace(/\*+/g, '*')
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*/g, '.*')
    .replace(/\?/g, '.');
  const expression = new RegExp(`^${source}$`, 'isu');
  return (name) => expression.test(name);
}

function markerCheck(entries: readonly Buffer[], marker: string | undefined): (name: string) => boolean {
  if (marker === undefined) return () => true;
  const names = new Set(entries.map(String));
  return (name) => !name.endsWith(marker) && names.has(`${name}${marker}`);
}

/** The file, why it is left alone, or undefined when there is nothing to say. */
async function lookAt(folder: string, name: string): Promise<NoticedFile | string | undefined> {
  const file = path.join(folder, name);
  try {
    const stat = await lstat(file);
    if (stat.isDirectory()) return undefined;
    if (stat.isSymbolicLink()) return 'it is a symbolic link; links are never followed';
    if (!stat.isFile()) return 'it is no regular file';
    return { path: file, name, size: stat.size, modifiedAt: stat.mtimeMs };
  } catch (error) {
    // Gone again between the list and the look, or not ours to see: the other files still count.
    const code = errorCode(error);
    return code === 'ENOENT' ? undefined : `it cannot be looked at (${code})`;
  }
}
