import { brotliDecompressSync, constants, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { faultText } from '../fault-text.ts';

/** Nobody codes an answer more often than this. */
const MOST_CODINGS = 3;

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

export interface CodedAnswer {
  bytes: Buffer;
  /** The header Content-Encoding; codings in the order in which they were put on. */
  contentEncoding: string | undefined;
  /** It broke off, or is longer than what is kept: what there is of it is decoded. */
  isPart: boolean;
  mostBytes: number;
}

/**
 * The text of an answer, at most `mostBytes` of it. We ask for none that is coded, but not every server looks at that. An
 * `error` says that the text cannot be known.
 */
export function decodeAnswer({ bytes, contentEncoding = '', isPart, mostBytes }: CodedAnswer): {
  text: string;
  error?: string;
} {
  const codings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  try {
    if (codings.length > MOST_CODINGS) throw new Error('it is coded too often');
    const plain = bytes.length === 0 ? bytes : codings.reduceRight(decoder(isPart, mostBytes), bytes);
    return { text: textOf(plain, mostBytes) };
  } catch (fault) {
    return { text: '', error: `the answer cannot be decoded (${codings.join(', ')}): ${faultText(fault)}` };
  }
}

function decoder(isPart: boolean, mostBytes: number) {
  const bounded = { maxOutputLength: mostBytes + BYTE_ORDER_MARK.length };
  const inflating = { ...bounded, ...(isPart && { finishFlush: constants.Z_SYNC_FLUSH }) };
  const brotli = { ...bounded, ...(isPart && { finishFlush: constants.BROTLI_OPERATION_FLUSH }) };
  return (bytes: Buffer, coding: string): Buffer => {
    switch (coding) {
      case 'gzip':
      case 'x-gzip':
        return gunzipSync(bytes, inflating);
      case 'deflate':
        // Many servers send it without the frame that RFC 9110 section 8.4.1.2 asks for.
        return isFramed(bytes) ? inflateSync(bytes, inflating) : inflateRawSync(bytes, inflating);
      case 'br':
        return brotliDecompressSync(bytes, brotli);
      default:
        throw new Error('the coding is not known here');
    }
  };
}

/** By the first two bytes of a zlib stream (RFC 1950 section 2.2). */
function isFramed(bytes: Buffer): boolean {
  return bytes.length >= 2 && ((bytes[0] ?? 0) & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0;
}

/** The mark says nothing in UTF-8, and readers of JSON stumble over it. */
function textOf(bytes: Buffer, mostBytes: number): string {
  const isMarked = bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  const start = isMarked ? BYTE_ORDER_MARK.length : 0;
  return bytes.subarray(start, start + mostBytes).toString('utf8');
}
