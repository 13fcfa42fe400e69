import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { decrypt, encrypt } from '../../src/runtime/backup/encrypted-file.ts';

const KEY = Buffer.alloc(32, 7);
const HEAD = 44;
const CHUNK = 64 * 1024 + 16;

async function* stream(bytes: Buffer, piece = 10_000): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += piece)
    yield await Promise.resolve(bytes.subarray(at, at + piece));
}

async function all(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const collected: Buffer[] = [];
  for await (const chunk of chunks) collected.push(chunk);
  return Buffer.concat(collected);
}

const sealed = (plain: Buffer, key = KEY, context = 'a/leads.db') =>
  all(encrypt(stream(plain), key, context));
const opened = (stored: Buffer, key = KEY, context = 'a/leads.db') =>
  all(decrypt(stream(stored), key, context));

describe('an encrypted file', () => {
  it.each([0, 1, 65_535, 65_536, 65_537, 131_072, 200_000])(
    'of %i bytes comes back as it was',
    async (size) => {
      const plain = randomBytes(size);
      const stored = await sealed(plain);
      expect(stored.length).toBe(HEAD + size + 16 * Math.max(1, Math.ceil(size / 65_536)));
      expect(await opened(stored)).toEqual(plain);
      if (size > 100) expect(stored.includes(plain.subarray(0, 50))).toBe(false);
    },
  );

  it('is another one each time', async () => {
    const plain = Buffer.alloc(1000);
    expect(await sealed(plain)).not.toEqual(await sealed(plain));
  });

  it('says in words that the key is another one', async () => {
    const stored = await sealed(Buffer.from('leads'));
    await expect(opened(stored, Buffer.alloc(32, 8))).rejects.toThrow('encrypted with another key');
  });

  it('is not opened in the place of another file or of another backup', async () => {
    const stored = await sealed(Buffer.from('leads'));
    await expect(opened(stored, KEY, 'a/inventory.db')).rejects.toThrow('belongs to another backup');
    await expect(opened(stored, KEY, 'b/leads.db')).rejects.toThrow('belongs to another backup');
  });

  it.each([
    ['in its head', 12],
    ['in its salt', 40],
    ['in its first chunk', HEAD + 5],
    ['in a tag', HEAD + CHUNK - 1],
    ['in its last chunk', HEAD + 2 * CHUNK + 9],
  ])('is refused when a bit is changed %s', async (_, at) => {
    const stored = await sealed(randomBytes(150_000));
    stored.writeUInt8(stored.readUInt8(at) ^ 1, at);
    await expect(opened(stored)).rejects.toThrow(/cannot|can be trusted|encrypted in form/);
  });

  it.each([
    ['the last chunk', HEAD + 2 * CHUNK],
    ['all chunks but the first', HEAD + CHUNK],
    ['every chunk', HEAD],
    ['a part of the head', 20],
    ['one byte', -1],
  ])('is refused when %s is cut off', async (_, end) => {
    const stored = await sealed(randomBytes(150_000));
    await expect(opened(stored.subarray(0, end))).rejects.toThrow('Nothing of it can be trusted');
  });

  it('is refused when chunks are exchanged, repeated, or bytes are added', async () => {
    const stored = await sealed(randomBytes(150_000));
    const chunk = (index: number): Buffer =>
      stored.subarray(HEAD + index * CHUNK, HEAD + (index + 1) * CHUNK);
    const head = stored.subarray(0, HEAD);
    for (const forged of [
      [head, chunk(1), chunk(0), chunk(2)],
      [head, chunk(0), chunk(0), chunk(1), chunk(2)],
      [head, chunk(0), chunk(2)],
      [stored, Buffer.alloc(100)],
    ]) {
      await expect(opened(Buffer.concat(forged))).rejects.toThrow('Nothing of it can be trusted');
    }
  });

  it('of a form to come is refused with a word about the program', async () => {
    const stored = await sealed(Buffer.from('leads'));
    stored.writeUInt32BE(2, 8);
    await expect(opened(stored)).rejects.toThrow('encrypted in form 2, this program knows 1');
  });
});
