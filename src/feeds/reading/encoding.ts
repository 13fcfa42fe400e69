import { isAscii, isUtf8 } from 'node:buffer';
import { StringDecoder } from 'node:string_decoder';
import type { FeedEncoding } from '../records.ts';

/** How a feed's bytes become text, without a library that guesses by statistics: those misfire on short files. */

export interface ByteOrderMark {
  readonly encoding: FeedEncoding;
  readonly bytes: number;
}

export function byteOrderMark(head: Buffer): ByteOrderMark | undefined {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return { encoding: 'utf-8', bytes: 3 };
  if (head[0] === 0xff && head[1] === 0xfe) return { encoding: 'utf-16le', bytes: 2 };
  if (head[0] === 0xfe && head[1] === 0xff) return { encoding: 'utf-16be', bytes: 2 };
  return undefined;
}

/** Four bytes a letter, three of them zero; told apart only to be refused by its name. */
export function isUtf32(head: Buffer): boolean {
  const marks = ['\xff\xfe\0\0', '\0\0\xfe\xff'];
  if (marks.includes(head.toString('latin1', 0, 4))) return true;
  return /^(?:(?:[^\0]\0\0\0){4}|(?:\0\0\0[^\0]){4})/.test(head.toString('latin1', 0, 16));
}

/**
 * UTF-16 without a mark: in the header line, which is ASCII, every second byte is zero. At least nine in ten must
 * be, and none of the others.
 */
export function utf16ByZeroBytes(head: Buffer): FeedEncoding | undefined {
  const pairs = Math.floor(head.length / 2);
  const zeros = [0, 0];
  for (let index = 0; index < pairs * 2; index += 1) {
    if (head[index] === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  }
  const [even = 0, odd = 0] = zeros;
  if (pairs < 2) return undefined;
  if (even === 0 && odd >= pairs * 0.9) return 'utf-16le';
  if (odd === 0 && even >= pairs * 0.9) return 'utf-16be';
  return undefined;
}

const XML_DECLARATION = /^\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']([^"'>]{1,40})["']/;

/** The encoding that an XML prolog names, in lower case. */
export function declaredEncoding(head: Buffer): string | undefined {
  return XML_DECLARATION.exec(head.toString('latin1', 0, 1024))?.[1]?.toLowerCase();
}

/** All that has its names for windows-1252 and what people take for it, without hyphens, underscores and blanks. */
const WESTERN_LABELS =
  /^(?:(?:iso)?8859(?:1|11987)|latin1|l1|(?:windows|xcp|cp|ibm|ms)1252|ansi|usascii|ascii|cp819)$/;
/** Encodings in which bytes below 0x80 are something else than ASCII. */
const NOT_ASCII = /ebcdic|^utf-?(?:7|16|32)|^ucs|^(?:ibm|cp)-?(?:037|273|500|1047|1140)|2022|^hz/;

/** What is meant by the name of an encoding, as a prolog has it. */
export function namedEncoding(label: string): FeedEncoding | 'ascii-based' | 'unknown' {
  const plain = label.replaceAll(/[-_ :]/g, '');
  if (plain === 'utf8' || plain === 'unicode11utf8') return 'utf-8';
  if (plain === 'iso885915' || plain === '885915' || plain === 'latin9') return 'iso-8859-15';
  if (WESTERN_LABELS.test(plain))
    return plain.includes('8859') || plain === 'latin1' ? 'iso-8859-1' : 'windows-1252';
  return NOT_ASCII.test(label) || !isKnownElsewhere(label) ? 'unknown' : 'ascii-based';
}

function isKnownElsewhere(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== '';
  } catch {
    return false;
  }
}

/** Whether all chunks together are sound UTF-8; a character may be split between two chunks. */
export class Utf8Check {
  #sound = true;
  #hasLongCharacters = false;
  #rest: Buffer = Buffer.alloc(0);

  add(chunk: Buffer): void {
    if (!this.#sound) return;
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const whole = bytes.length - unfinishedBytes(bytes);
    const characters = bytes.subarray(0, whole);
    this.#sound = isUtf8(characters);
    this.#hasLongCharacters ||= this.#sound && !isAscii(characters);
    this.#rest = bytes.subarray(whole);
  }

  /**
   * Asked after the last chunk: sound UTF-8 up to a last character that lacks bytes. Where it would be the only one
   * beyond ASCII, the text may as well be another encoding's.
   */
  isCutShort(): boolean {
    return this.#sound && this.#hasLongCharacters && this.#rest.length > 0;
  }

  /** The same where the file calls itself UTF-8: its only long character counts as well. */
  isCutUtf8(): boolean {
    return this.#sound && this.#rest.length > 0;
  }

  /** Asked after the last chunk: not one byte beyond ASCII, in which nearly all encodings agree. */
  isAscii(): boolean {
    return this.isSound() && !this.#hasLongCharacters;
  }

  /** Asked after the last chunk: a character that is not finished then is a fault. */
  isSound(): boolean {
    return this.#sound && this.#rest.length === 0;
  }
}

/** Length of the character at the end that lacks bytes: 0 to 3. */
function unfinishedBytes(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0b1100_0000) === 0b1000_0000) continue;
    const length = byte >= 0b1111_0000 ? 4 : byte >= 0b1110_0000 ? 3 : byte >= 0b1100_0000 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}

export interface TextDecoding {
  write(chunk: Buffer): string;
  end(): string;
}

/**
 * Decodes a stream chunk by chunk. `iso-8859-1` is read as windows-1252: who declares the one writes the other,
 * and the 32 control characters in which they differ stand in no export.
 */
export function textDecoding(encoding: FeedEncoding): TextDecoding {
  switch (encoding) {
    case 'utf-8':
      return new StringDecoder('utf8');
    case 'utf-16le':
    case 'utf-16be': {
      const decoder = new TextDecoder(encoding, { ignoreBOM: true });
      return { write: (chunk) => decoder.decode(chunk, { stream: true }), end: () => decoder.decode() };
    }
    case 'windows-1252':
    case 'iso-8859-1':
      return { write: decodeWindows1252, end: () => '' };
    case 'iso-8859-15':
      return { write: decodeLatin9, end: () => '' };
  }
}

/** A stretch of bytes beyond ASCII that is longer is no word. */
const LONGEST_STRETCH = 4096;

/**
 * For a file that calls itself UTF-8 and is not all through, as when two exports were glued together: each stretch of
 * bytes beyond ASCII is read as UTF-8 where it is sound and as windows-1252 where not.
 */
export function mixedDecoding(): TextDecoding {
  let rest: Buffer = Buffer.alloc(0);
  return {
    write: (chunk) => {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      let end = bytes.length;
      while (end > 0 && (bytes[end - 1] ?? 0) >= 0x80 && bytes.length - end < LONGEST_STRETCH) end -= 1;
      rest = bytes.subarray(end);
      return decodeMixed(bytes.subarray(0, end));
    },
    end: () => decodeMixed(rest),
  };
}

function decodeMixed(bytes: Buffer): string {
  return bytes.toString('latin1').replace(/[\u0080-\u00ff]+/g, (stretch) => {
    const raw = Buffer.from(stretch, 'latin1');
    return isUtf8(raw) ? raw.toString() : decodeWindows1252(raw);
  });
}

/** The eight places in which ISO 8859-15 is not ISO 8859-1. */
const LATIN_9 = new Map([
  ['\u00a4', '€'],
  ['\u00a6', 'Š'],
  ['\u00a8', 'š'],
  ['\u00b4', 'Ž'],
  ['\u00b8', 'ž'],
  ['\u00bc', 'Œ'],
  ['\u00bd', 'œ'],
  ['\u00be', 'Ÿ'],
]);

function decodeLatin9(bytes: Buffer): string {
  const text = decodeWindows1252(bytes);
  return text.replace(/[\u00a4\u00a6\u00a8\u00b4\u00b8\u00bc-\u00be]/g, (each) => LATIN_9.get(each) ?? each);
}

/** Characters at 0x80 to 0x9F; five places are not assigned and stay the control characters they are. */
const WINDOWS_1252_SPECIALS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Not left to TextDecoder: some releases of Node decode this range as ISO-8859-1. */
function decodeWindows1252(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replace(/[\u0080-\u009f]/g, (character) => WINDOWS_1252_SPECIALS.charAt(character.charCodeAt(0) - 0x80));
}
