import { failure, success, type Result } from '../../model/problem.ts';
import { fileFault } from '../file-fault.ts';
import { isSystemFile } from '../system-files.ts';
import type { ZipEntry } from './zip-archive.ts';

/**
 * Which of an archive's entries is the export. Faults: archive_unsafe_path, not_a_feed (an office document is a
 * ZIP archive too), archive_empty, ambiguous_archive.
 */
export function chooseDataEntry(entries: readonly ZipEntry[]): Result<ZipEntry> {
  const unsafe = entries.find((entry) => entry.symbolicLink || escapes(entry.name));
  if (unsafe !== undefined) return failure(fileFault('archive_unsafe_path', unsafe.name));
  const office = recogniseOfficeDocument(entries);
  if (office !== undefined) {
    return failure(fileFault('not_a_feed', `it is ${office}; export the inventory as CSV`));
  }
  const [first, ...others] = entries.filter((entry) => !isLitter(entry.name));
  if (first === undefined) return failure(fileFault('archive_empty'));
  if (others.length === 0) return success(first);
  const names = [first, ...others].map((entry) => entry.name);
  const shown = names.length > 5 ? [...names.slice(0, 5), `${names.length - 5} more`] : names;
  return failure(fileFault('ambiguous_archive', shown.join(', ')));
}

/** Nothing is written to disk under these names, but an archive that tries is not to be trusted at all. */
function escapes(name: string): boolean {
  return (
    name.startsWith('/') || name.includes('\0') || /^[A-Za-z]:/.test(name) || name.split('/').includes('..')
  );
}

const NOTES = /^(read[ _-]?me|licen[cs]e|notes?|changelog|changes|instructions?)([ _.-].*)?$/i;
const NOTE_ENDINGS = /(^[^.]+|\.(txt|md|rtf|pdf|docx?|html?))$/i;

/** Folders, what operating systems leave behind, and notes for people that lie beside an export. */
function isLitter(name: string): boolean {
  if (name.endsWith('/')) return true;
  const segments = name.split('/');
  const base = segments.at(-1) ?? '';
  if (segments.some(isSystemFile)) return true;
  return NOTES.test(base) && NOTE_ENDINGS.test(base);
}

function recogniseOfficeDocument(entries: readonly ZipEntry[]): string | undefined {
  const names = new Set(entries.map((entry) => entry.name));
  if (names.has('[Content_Types].xml')) {
    if (entries.some((entry) => entry.name.startsWith('xl/'))) return 'an Excel workbook';
    if (entries.some((entry) => entry.name.startsWith('word/'))) return 'a Word document';
    return 'an office document';
  }
  if (names.has('mimetype') && names.has('content.xml')) return 'an OpenDocument file';
  return undefined;
}
