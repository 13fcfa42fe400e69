import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { failure, success, type Result } from '../model/problem.ts';
import { documentProblem } from './problems.ts';

/** A few hundred rooftops fit in easily. */
const MAX_FILE_BYTES = 1024 * 1024;

/** The text of a settings file. Problems name it by its base name, as a person does. */
export async function readSettingsFile(file: string): Promise<Result<string>> {
  const where = { file: basename(file) };
  let bytes: Buffer;
  try {
    bytes = await readBounded(file);
  } catch (error) {
    const reason = reasonOf(error);
    return failure(documentProblem('CONFIG_FILE_UNREADABLE', { file }, { reason }));
  }
  if (bytes.length > MAX_FILE_BYTES) {
    return failure(documentProblem('CONFIG_FILE_TOO_LARGE', where, { limit: MAX_FILE_BYTES }));
  }
  try {
    return success(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return failure(documentProblem('CONFIG_FILE_NOT_UTF8', where));
  }
}

/** At most one byte more than the limit, whatever the file claims to be. */
async function readBounded(file: string, limit = MAX_FILE_BYTES): Promise<Buffer> {
  const handle = await open(file, 'r');
  try {
    if ((await handle.stat()).isDirectory()) throw new Error('it is a folder');
    const buffer = Buffer.alloc(limit + 1);
    let length = 0;
    while (length < buffer.length) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return buffer.subarray(0, length);
  } finally {
    await handle.close();
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it is not there',
  EACCES: 'no right to read it',
  EPERM: 'no right to read it',
  EISDIR: 'it is a folder',
};

/** Why a file could not be read, in plain words. */
export function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return REASONS[code] ?? (error instanceof Error ? error.message : String(error));
}
