import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import { failure, success, type Result } from '../../model/problem.ts';
import { fileFault } from '../file-fault.ts';
import type { UnpackLimits } from '../limits.ts';
import { openBytes, readBytes, type PlainFile, type ReadListener } from './plain-file.ts';

/**
 * A reader for the part of the ZIP format that exports use: one disk, stored or deflated entries, no ZIP64.
 * The central directory at the end of the file is the truth; nothing is ever unpacked to the disk.
 */

/** One entry of the central directory. */
export interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly encrypted: boolean;
  readonly symbolicLink: boolean;
  readonly crc32: number;
  readonly packedBytes: number;
  readonly unpackedBytes: number;
  /** Where its local header begins. */
  readonly offset: number;
}

const END_OF_DIRECTORY = { signature: 0x06054b50, bytes: 22, longestComment: 0xffff };
const DIRECTORY_ENTRY = { signature: 0x02014b50, bytes: 46 };
const LOCAL_HEADER = { signature: 0x04034b50, bytes: 30 };
const STORED = 0;
const DEFLATED = 8;
/** Names and extra fields included; an ordinary entry needs about 100 bytes. */
const LARGEST_DIRECTORY_ENTRY = 2048;
/** These stand in the fields of a ZIP64 archive, whose real values are elsewhere. */
const ZIP64_COUNT = 0xffff;
const ZIP64_SIZE = 0xffffffff;
const UNIX_FILE_TYPE = 0xf000;
const UNIX_SYMBOLIC_LINK = 0xa000;

/** All entries, or why the archive cannot be trusted: archive_broken, archive_too_large. */
export async function readZipDirectory(file: PlainFile, limits: UnpackLimits): Promise<Result<ZipEntry[]>> {
  const tailStart = Math.max(0, file.size - END_OF_DIRECTORY.bytes - END_OF_DIRECTORY.longestComment);
  const tail = await readBytes(file, tailStart, file.size);
  const end = findEndOfDirectory(tail);
  if (end === undefined) return broken('its table of contents is missing');
  const count = tail.readUInt16LE(end + 10);
  const bytes = tail.readUInt32LE(end + 12);
  const offset = tail.readUInt32LE(end + 16);
  if (count === ZIP64_COUNT || bytes === ZIP64_SIZE || offset === ZIP64_SIZE) {
    return failure(fileFault('archive_too_large', 'it is of the ZIP64 kind'));
  }
  if (count > limits.maxArchiveEntries) {
    return failure(fileFault('archive_too_large', `it has ${count} entries`));
  }
  if (offset + bytes > tailStart + end) return broken('its table of contents does not fit');
  if (bytes > count * LARGEST_DIRECTORY_ENTRY) return broken('its table of contents is too long');
  return parseDirectory(await readBytes(file, offset, offset + bytes), count);
}

function findEndOfDirectory(tail: Buffer): number | undefined {
  for (let at = tail.length - END_OF_DIRECTORY.bytes; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) !== END_OF_DIRECTORY.signature) continue;
    const commentBytes = tail.readUInt16LE(at + 20);
    if (at + END_OF_DIRECTORY.bytes + commentBytes === tail.length) return at;
  }
  return undefined;
}

function parseDirectory(directory: Buffer, count: number): Result<ZipEntry[]> {
  const entries: ZipEntry[] = [];
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    if (at + DIRECTORY_ENTRY.bytes > directory.length) return broken('its table of contents is cut short');
    if (directory.readUInt32LE(at) !== DIRECTORY_ENTRY.signature) return broken('an entry is no entry');
    const nameEnd = at + DIRECTORY_ENTRY.bytes + directory.readUInt16LE(at + 28);
    const next = nameEnd + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
    if (next > directory.length) return broken('its table of contents is cut short');
    entries.push(parseEntry(directory, at, nameEnd));
    at = next;
  }
  return success(entries);
}

function parseEntry(directory: Buffer, at: number, nameEnd: number): ZipEntry {
  const flags = directory.readUInt16LE(at + 8);
  const unixMode = directory.readUInt16LE(at + 40);
  return {
    // Some programs write the separator of Windows, which the format does not allow.
    name: directory.toString('utf8', at + DIRECTORY_ENTRY.bytes, nameEnd).replaceAll('\\', '/'),
    method: directory.readUInt16LE(at + 10),
    encrypted: (flags & 1) !== 0,
    symbolicLink: (unixMode & UNIX_FILE_TYPE) === UNIX_SYMBOLIC_LINK,
    crc32: directory.readUInt32LE(at + 16),
    packedBytes: directory.readUInt32LE(at + 20),
    unpackedBytes: directory.readUInt32LE(at + 24),
    offset: directory.readUInt32LE(at + 42),
  };
}

/** Opens one entry as often as needed. Faults: archive_broken, archive_encrypted, archive_too_large. */
export async function locateEntry(
  file: PlainFile,
  entry: ZipEntry,
  onRead?: ReadListener,
): Promise<Result<() => Readable>> {
  if (entry.encrypted) return failure(fileFault('archive_encrypted', entry.name));
  if (entry.packedBytes === ZIP64_SIZE || entry.unpackedBytes === ZIP64_SIZE || entry.offset === ZIP64_SIZE) {
    return failure(fileFault('archive_too_large', 'it is of the ZIP64 kind'));
  }
  if (entry.method !== STORED && entry.method !== DEFLATED) {
    return broken(`${entry.name} is packed by method ${entry.method}, which is not supported`);
  }
  const header = await readBytes(file, entry.offset, entry.offset + LOCAL_HEADER.bytes);
  if (header.length < LOCAL_HEADER.bytes || header.readUInt32LE(0) !== LOCAL_HEADER.signature) {
    return broken(`${entry.name} is not where the table of contents says`);
  }
  const start = entry.offset + LOCAL_HEADER.bytes + header.readUInt16LE(26) + header.readUInt16LE(28);
  const end = start + entry.packedBytes;
  if (end > file.size) return broken(`${entry.name} is cut short`);
  return success(() => {
    const packed = openBytes(file, { start, end, onRead });
    if (entry.method === STORED) return packed;
    const inflate = createInflateRaw();
    // Faults reach whoever reads the inflated stream; the callback only keeps them from being thrown twice.
    pipeline(packed, inflate, () => undefined);
    return inflate;
  });
}

function broken(detail: string): Result<never> {
  return failure(fileFault('archive_broken', detail));
}
