import { basename } from 'node:path';
import { pipeline, type Readable } from 'node:stream';
import { crc32, createGunzip } from 'node:zlib';
import { failure, success, type Result } from '../../model/problem.ts';
import { chooseDataEntry } from './archive-contents.ts';
import { fileFault } from '../file-fault.ts';
import type { UnpackLimits } from '../limits.ts';
import { inspectFile, openBytes, readBytes, type PlainFile, type ReadListener } from './plain-file.ts';
import type { UnpackedFile } from '../records.ts';
import { locateEntry, readZipDirectory } from './zip-archive.ts';

/** Below this an archive does no harm, however well it packs. */
const RATIO_MATTERS_ABOVE_BYTES = 1024 * 1024;
const GZIP = Buffer.from([0x1f, 0x8b]);
const ZIP = Buffer.from('PK\x03\x04', 'latin1');
const EMPTY_ZIP = Buffer.from('PK\x05\x06', 'latin1');

/**
 * Takes the container off: plain, gzip or zip, told by the first bytes and not by the name. An archive inside an
 * archive is not followed. Archives are read once to their end here, so that a broken or oversized one is a fault
 * of this step and the streams opened later only fail when the disk does. `onRead` hears of the bytes of the container,
 * each time that they are read.
 */
export async function unpack(
  path: string,
  limits: UnpackLimits,
  onRead?: ReadListener,
): Promise<Result<UnpackedFile>> {
  const inspected = await inspectFile(path);
  if (!inspected.ok) return inspected;
  const file = inspected.value;
  if (file.size === 0) return failure(fileFault('empty_file'));
  if (file.size > limits.maxFileBytes) return failure(fileFault('file_too_large', `${file.size} bytes`));
  const head = await readBytes(file, 0, 4);
  if (head.subarray(0, 2).equals(GZIP)) return unpackGzip(file, limits, onRead);
  if (head.equals(ZIP) || head.equals(EMPTY_ZIP)) return unpackZip(file, limits, onRead);
  return success({ name: basename(path), container: 'none', open: () => openBytes(file, { onRead }) });
}

async function unpackGzip(
  file: PlainFile,
  limits: UnpackLimits,
  onRead?: ReadListener,
): Promise<Result<UnpackedFile>> {
  const open = (): Readable => {
    const gunzip = createGunzip();
    // Faults reach whoever reads the unpacked stream; the callback only keeps them from being thrown twice.
    pipeline(openBytes(file, { onRead }), gunzip, () => undefined);
    return gunzip;
  };
  const measured = await measure(open(), allowedBytes(file.size, limits));
  if (!measured.ok) return measured;
  if (measured.value.bytes === 0) return failure(fileFault('empty_file'));
  const name = basename(file.path).replace(/\.gz(ip)?$/i, '');
  return success({ name, container: 'gzip', open });
}

async function unpackZip(
  file: PlainFile,
  limits: UnpackLimits,
  onRead?: ReadListener,
): Promise<Result<UnpackedFile>> {
  const directory = await readZipDirectory(file, limits);
  if (!directory.ok) return directory;
  const chosen = chooseDataEntry(directory.value);
  if (!chosen.ok) return chosen;
  const entry = chosen.value;
  const total = directory.value.reduce((sum, { unpackedBytes }) => sum + unpackedBytes, 0);
  if (total > limits.maxUnpackedBytes) return tooLarge(total);
  const located = await locateEntry(file, entry, onRead);
  if (!located.ok) return located;
  const open = located.value;
  const measured = await measure(open(), allowedBytes(entry.packedBytes, limits));
  if (!measured.ok) return measured;
  const { bytes, checksum } = measured.value;
  if (bytes !== entry.unpackedBytes || checksum !== entry.crc32) {
    return failure(fileFault('archive_broken', `${entry.name} does not match its checksum`));
  }
  if (bytes === 0) return failure(fileFault('empty_file', entry.name));
  return success({ name: basename(entry.name), container: 'zip', open });
}

function allowedBytes(packedBytes: number, limits: UnpackLimits): number {
  const byRatio = Math.max(RATIO_MATTERS_ABOVE_BYTES, packedBytes * limits.maxArchiveRatio);
  return Math.min(limits.maxUnpackedBytes, byRatio);
}

/** Reads a stream to its end, or to the first byte too many. */
async function measure(
  stream: Readable,
  maxBytes: number,
): Promise<Result<{ bytes: number; checksum: number }>> {
  let bytes = 0;
  let checksum = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) return tooLarge(bytes);
      checksum = crc32(chunk, checksum);
    }
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (code.startsWith('Z_')) return failure(fileFault('archive_broken', message));
    throw error;
  }
  return success({ bytes, checksum });
}

function tooLarge(bytes: number): Result<never> {
  return failure(fileFault('archive_too_large', `${bytes} bytes or more`));
}
