import { constants } from 'node:fs';
import { lstat, open, type FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { failure, success, type Result } from '../../model/problem.ts';
import { fileFault } from '../file-fault.ts';

/** A regular file as it was when it was looked at; reading it later fails if another has taken its place. */
export interface PlainFile {
  readonly path: string;
  readonly size: number;
  readonly modifiedMs: number;
  readonly device: number;
  readonly inode: number;
}

const CHUNK_BYTES = 512 * 1024;

/** Windows knows neither flag. With them a link is refused and a named pipe does not block for ever. */
const SAFE_READ = constants.O_RDONLY | (optionalFlag('O_NOFOLLOW') ?? 0) | (optionalFlag('O_NONBLOCK') ?? 0);

function optionalFlag(name: 'O_NOFOLLOW' | 'O_NONBLOCK'): number | undefined {
  return (constants as Partial<typeof constants>)[name];
}

/** Faults: not_a_regular_file (link, folder, device, pipe), file_unreadable (gone, no right). */
export async function inspectFile(path: string): Promise<Result<PlainFile>> {
  try {
    const found = await lstat(path);
    if (!found.isFile()) return failure(fileFault('not_a_regular_file'));
    const file = await open(path, SAFE_READ);
    try {
      return success(await identify(path, file));
    } finally {
      await file.close();
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (code === 'ELOOP') return failure(fileFault('not_a_regular_file'));
    if (UNREADABLE.has(code)) return failure(fileFault('file_unreadable', code));
    throw error;
  }
}

const UNREADABLE = new Set(['ENOENT', 'EACCES', 'EPERM', 'EBUSY']);

async function identify(path: string, file: FileHandle): Promise<PlainFile> {
  const { size, mtimeMs, dev, ino } = await file.stat();
  return { path, size, modifiedMs: mtimeMs, device: dev, inode: ino };
}

/** Called with the number of bytes of each piece that is read. */
export type ReadListener = (bytes: number) => void;

/** The bytes from `start` up to, but without, `end`. */
export function openBytes(
  file: PlainFile,
  {
    start = 0,
    end = file.size,
    onRead,
  }: { start?: number; end?: number; onRead?: ReadListener | undefined } = {},
): Readable {
  return Readable.from(chunks(file, start, end, onRead), { objectMode: false });
}

/** The same for a few bytes; shorter than asked for at the end of the file. */
export async function readBytes(file: PlainFile, start: number, end: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const chunk of chunks(file, start, Math.min(end, file.size))) parts.push(chunk);
  return Buffer.concat(parts);
}

async function* chunks(
  expected: PlainFile,
  start: number,
  end: number,
  onRead?: ReadListener,
): AsyncGenerator<Buffer> {
  const file = await open(expected.path, SAFE_READ);
  try {
    assertUnchanged(expected, await identify(expected.path, file));
    for (let position = start; position < end;) {
      const wanted = Math.min(CHUNK_BYTES, end - position);
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(wanted), 0, wanted, position);
      if (bytesRead === 0) throw new Error(`${expected.path} became shorter while it was read`);
      position += bytesRead;
      onRead?.(bytesRead);
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** A file is read several times (encoding first, then rows): all passes must see the same bytes. */
function assertUnchanged(expected: PlainFile, found: PlainFile): void {
  const same =
    expected.size === found.size &&
    expected.modifiedMs === found.modifiedMs &&
    expected.device === found.device &&
    expected.inode === found.inode;
  if (!same) throw new Error(`${expected.path} changed while it was read`);
}
