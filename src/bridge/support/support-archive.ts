import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { OperatorFault } from '../../model/operator-fault.ts';
import type { SupportFile } from './support-files.ts';

/** Writes them into a new .zip that only this account can read. */
export async function writeArchive(
  file: string,
  entries: readonly SupportFile[],
  now: number,
): Promise<void> {
  const zip = new ZipFile();
  for (const { name, text } of entries)
    zip.addBuffer(Buffer.from(text, 'utf8'), name, { mtime: new Date(now) });
  zip.end();
  const target = createWriteStream(file, { flags: 'wx', mode: 0o600 });
  try {
    await pipeline(zip.outputStream, target);
  } catch (fault) {
    const code = (fault as NodeJS.ErrnoException).code;
    if (code === 'EEXIST') throw new OperatorFault(`${file} is there already; name another file with --out.`);
    await rm(file, { force: true });
    throw fault;
  }
}
