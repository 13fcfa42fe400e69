import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { OperatorFault } from '../../model/operator-fault.ts';
import { readChunks } from '../backup/store-files.ts';

/**
 * Refuses an archive that is not, bit by bit, the one that was published. `given`: SHA-256 in hex; else that of the
 * file beside the archive, `<archive>.sha256`, in the form of sha256sum.
 */
export async function requireChecksum(archive: string, given: string | undefined): Promise<void> {
  const expected = (given ?? (await besideArchive(archive))).toLowerCase();
  if (!/^[0-9a-f]{64}$/.test(expected)) {
    throw new OperatorFault(`"${expected.slice(0, 80)}" is no SHA-256: it has 64 digits from 0 to f.`);
  }
  const found = await sha256Of(archive);
  if (found === expected) return;
  throw new OperatorFault(
    `${archive} is not what was published: its SHA-256 is ${found} in place of ${expected}. Download it again. ` +
      'Nothing was changed.',
  );
}

export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of readChunks(file)) hash.update(chunk);
  return hash.digest('hex');
}

async function besideArchive(archive: string): Promise<string> {
  const file = `${archive}.sha256`;
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new OperatorFault(
      `There is no checksum to compare ${archive} with. Put ${file} beside it, as it was published, or give ` +
        '--sha256.',
      { cause },
    );
  });
  return text.trim().split(/\s+/)[0] ?? '';
}
