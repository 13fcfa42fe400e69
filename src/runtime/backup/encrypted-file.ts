import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { OperatorFault } from '../../model/operator-fault.ts';
import { fileKey, keyId } from './backup-key.ts';

/**
 * The form of an encrypted file (docs/operating.md): a head of 44 bytes, then chunks of AES-256-GCM, each its text
 * followed by its tag of 16 bytes. The nonce of a chunk is its number and whether it is the last, so that no chunk can
 * be moved, left out, repeated or cut off at the end unnoticed; head and `context` (which file of which backup) are
 * authenticated with every chunk, so that no file can stand in for another.
 */
const MAGIC = Buffer.from('DBBACKUP');
const VERSION = 1;
const SALT_BYTES = 16;
const KEY_ID_BYTES = 8;
const HEAD_BYTES = MAGIC.length + 4 + 8 + KEY_ID_BYTES + SALT_BYTES;
const TAG_BYTES = 16;
const CHUNK_BYTES = 64 * 1024;
/** A head that asks for more is no head of ours. */
const MAX_CHUNK_BYTES = 16 * 1024 * 1024;

interface Head {
  bytes: Buffer;
  chunkBytes: number;
  salt: Buffer;
}

export async function* encrypt(
  plain: AsyncIterable<Buffer>,
  key: Buffer,
  context: string,
): AsyncGenerator<Buffer> {
  const head = newHead(key);
  const seal = chunkSealer(head, key, context);
  yield head.bytes;
  for await (const { bytes, isLast } of pieces(plain, CHUNK_BYTES)) yield seal(bytes, isLast);
}

/** Throws an OperatorFault that says in words what is wrong: another key, another file, a changed one, one cut short. */
export async function* decrypt(
  stored: AsyncIterable<Buffer>,
  key: Buffer,
  context: string,
): AsyncGenerator<Buffer> {
  const source = new ByteReader(stored);
  const head = readHead(await source.take(HEAD_BYTES), key);
  const open = chunkOpener(head, key, context);
  let isLast = false;
  while (!isLast) {
    const chunk = await source.take(head.chunkBytes + TAG_BYTES);
    isLast = await source.isAtEnd();
    if (chunk.length < TAG_BYTES) throw tampered('It is cut short.');
    yield open(chunk, isLast);
  }
}

function newHead(key: Buffer): Head {
  const salt = randomBytes(SALT_BYTES);
  const numbers = Buffer.alloc(12);
  numbers.writeUInt32BE(VERSION, 0);
  numbers.writeBigUInt64BE(BigInt(CHUNK_BYTES), 4);
  return { bytes: Buffer.concat([MAGIC, numbers, keyId(key), salt]), chunkBytes: CHUNK_BYTES, salt };
}

function readHead(bytes: Buffer, key: Buffer): Head {
  if (bytes.length < HEAD_BYTES || !bytes.subarray(0, MAGIC.length).equals(MAGIC)) {
    throw tampered('It does not begin as an encrypted file of a backup.');
  }
  const version = bytes.readUInt32BE(MAGIC.length);
  if (version !== VERSION) {
    throw new OperatorFault(
      `It is encrypted in form ${version}, this program knows ${VERSION}. Use the program that made the backup.`,
    );
  }
  const chunkBytes = Number(bytes.readBigUInt64BE(MAGIC.length + 4));
  if (chunkBytes < 1 || chunkBytes > MAX_CHUNK_BYTES) throw tampered('Its head is damaged.');
  const keyIdStart = MAGIC.length + 12;
  const saltStart = keyIdStart + KEY_ID_BYTES;
  if (!bytes.subarray(keyIdStart, saltStart).equals(keyId(key))) {
    throw new OperatorFault('It was encrypted with another key. Give the key file of that time.');
  }
  return { bytes, chunkBytes, salt: bytes.subarray(saltStart) };
}

function chunkSealer(head: Head, key: Buffer, context: string) {
  const secret = fileKey(key, head.salt);
  const about = aboutFile(head, context);
  let number = 0;
  return (plain: Buffer, isLast: boolean): Buffer => {
    const cipher = createCipheriv('aes-256-gcm', secret, nonceOf(number++, isLast));
    cipher.setAAD(about);
    return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  };
}

function chunkOpener(head: Head, key: Buffer, context: string) {
  const secret = fileKey(key, head.salt);
  const about = aboutFile(head, context);
  let number = 0;
  return (chunk: Buffer, isLast: boolean): Buffer => {
    const nonce = nonceOf(number++, isLast);
    const decipher = createDecipheriv('aes-256-gcm', secret, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(about);
    decipher.setAuthTag(chunk.subarray(chunk.length - TAG_BYTES));
    const plain = decipher.update(chunk.subarray(0, chunk.length - TAG_BYTES));
    try {
      return Buffer.concat([plain, decipher.final()]);
    } catch {
      throw tampered('It was changed, cut short, or belongs to another backup.');
    }
  };
}

/** 12 bytes: zeros, the number of the chunk, and 1 for the last. */
function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64BE(BigInt(number), 3);
  nonce.writeUInt8(isLast ? 1 : 0, 11);
  return nonce;
}

function aboutFile(head: Head, context: string): Buffer {
  return createHash('sha256').update(head.bytes).update(context).digest();
}

function tampered(reason: string): OperatorFault {
  return new OperatorFault(
    `${reason} Nothing of it can be trusted: take another backup, or its second copy.`,
  );
}

/** Chunks of an exact size, of which the last may be smaller; an empty source has one empty chunk. */
async function* pieces(
  source: AsyncIterable<Buffer>,
  size: number,
): AsyncGenerator<{ bytes: Buffer; isLast: boolean }> {
  const reader = new ByteReader(source);
  for (let isLast = false; !isLast;) {
    const bytes = await reader.take(size);
    isLast = await reader.isAtEnd();
    yield { bytes, isLast };
  }
}

/** Takes bytes off a stream in the portions that are wanted. */
class ByteReader {
  readonly #source: AsyncIterator<Buffer>;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #ended = false;

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Fewer than asked for at the end of the stream only. */
  async take(size: number): Promise<Buffer> {
    while (this.#heldBytes < size && (await this.#more()));
    const all = this.#held.length === 1 ? (this.#held[0] ?? Buffer.alloc(0)) : Buffer.concat(this.#held);
    const rest = all.subarray(size);
    this.#held = rest.length === 0 ? [] : [rest];
    this.#heldBytes = rest.length;
    return all.subarray(0, size);
  }

  async isAtEnd(): Promise<boolean> {
    while (this.#heldBytes === 0 && (await this.#more()));
    return this.#heldBytes === 0;
  }

  async #more(): Promise<boolean> {
    if (this.#ended) return false;
    const next = await this.#source.next();
    if (next.done === true) {
      this.#ended = true;
      return false;
    }
    this.#held.push(next.value);
    this.#heldBytes += next.value.length;
    return true;
  }
}
