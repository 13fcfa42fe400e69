import { createHash } from 'node:crypto';
import { openBytes, type PlainFile } from './reading/plain-file.ts';

/** SHA-256 of the file as it came, hex. */
export async function fingerprint(file: PlainFile): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of openBytes(file)) hash.update(bytes as Buffer);
  return hash.digest('hex');
}
