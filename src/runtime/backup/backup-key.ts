import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { OperatorFault } from '../../model/operator-fault.ts';
import { errorCode } from '../../files/patience.ts';
import { oneChunk, writeNewFile } from './durable-files.ts';

const KEY_BYTES = 32;
/** Generous for a file of 64 hex digits. */
const MAX_FILE_BYTES = 1024;

/** Writes 32 random bytes as 64 hex digits, which can be printed and kept in a safe. Refuses a file that is there. */
export async function writeNewKey(file: string): Promise<void> {
  try {
    await writeNewFile(file, oneChunk(`${randomBytes(KEY_BYTES).toString('hex')}\n`));
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    throw new OperatorFault(
      `${file} is there already. A key is never overwritten: older backups can be opened with it alone.`,
    );
  }
}

/** Reads a key file: 64 hex digits, or 32 raw bytes. */
export async function readKey(file: string): Promise<Buffer> {
  const bytes = await readSmallFile(file);
  if (bytes.length === KEY_BYTES) return bytes;
  const text = bytes.toString('latin1').trim();
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  throw new OperatorFault(
    `${file} is no key file: it must hold 64 hex digits (or 32 bytes). "dealer-bridge backup new-key FILE" makes one.`,
  );
}

/** Names a key without giving it away, so that a wrong one can be told from a damaged file. 8 bytes. */
export function keyId(key: Buffer): Buffer {
  return derive(key, '', 'dealer-bridge backup key id 1', 8);
}

/** One key a file: no two files share a nonce. */
export function fileKey(key: Buffer, salt: Buffer): Buffer {
  return derive(key, salt, 'dealer-bridge backup file 1', KEY_BYTES);
}

/** What nobody without the key can write under a manifest. Hex. */
export function sealOf(text: string, key: Buffer): string {
  return createHmac('sha256', derive(key, '', 'dealer-bridge backup manifest 1', KEY_BYTES))
    .update(text)
    .digest('hex');
}

export function isSameSeal(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function derive(key: Buffer, salt: Buffer | string, purpose: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, purpose, bytes));
}

async function readSmallFile(file: string): Promise<Buffer> {
  try {
    const { size } = await stat(file);
    if (size <= MAX_FILE_BYTES) return await readFile(file);
  } catch (error) {
    throw new OperatorFault(
      `The key file ${file} cannot be read (${errorCode(error)}). Is it there, and may this account read it?`,
      { cause: error },
    );
  }
  throw new OperatorFault(`${file} is no key file: it is too large.`);
}
