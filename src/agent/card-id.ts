import { createHash } from 'node:crypto';

/** Stands where a UUID of version 7 carries its time: the first of January 2026, in milliseconds since 1970. */
const FIXED_TIME = Date.UTC(2026, 0, 1);

/**
 * A UUID in the layout of version 7 whose random bits are a hash of the card: it changes exactly when the card
 * changes (aap-v1.3 section 1). Its time part means nothing. A true time, of when the card was first seen, would have
 * to be stored: the same card would get another id with a new data folder, and two bridges behind one address would
 * tell two ids. Nothing in AAP orders cards by their ids, so being the same for the same card is worth more.
 */
export function cardId(content: string): string {
  const hash = createHash('sha256').update(content).digest();
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(FIXED_TIME, 0, 6);
  hash.copy(bytes, 6, 0, 10);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
