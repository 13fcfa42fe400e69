import { isUtf8 } from 'node:buffer';
import type { Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { faultText } from '../fault-text.ts';

/** Nobody codes an answer more often than this. */
const MOST_CODINGS = 3;

/** Tab; what is below stands in no text. */
const LOWEST_OF_TEXT = 0x09;

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
 * The text of an answer, at most `mostBytes` of it. We ask for none that is coded, but not every server looks at that, and
 * some call coded what is not. An `error` says that the text cannot be known.
 */
export async function decodeAnswer({ bytes, contentEncoding = '', isPart, mostBytes }: CodedAnswer): Promise<{
  text: string;
  error?: string;
}> {
  const codings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  const readBytes = mostBytes + BYTE_ORDER_MARK.length;
  try {
    if (codings.length > MOST_CODINGS) throw new Error('it is coded too often');
    let plain = bytes;
    let isPartOfIt = isPart;
    for (const coding of bytes.length === 0 ? [] : codings.reverse()) {
      plain = await beginningOf(plain, decoderOf(coding, plain, isPartOfIt), readBytes);
      isPartOfIt ||= plain.length >= readBytes;
    }
    return { text: textOf(plain, mostBytes) };
  } catch (fault) {
    if (isPlainText(bytes)) return { text: textOf(bytes, mostBytes) };
    return { text: '', error: `the answer cannot be decoded (${codings.join(', ')}): ${faultText(fault)}` };
  }
}

/** What comes out first, about as much as is asked for, however much there is in it. */
async function beginningOf(bytes: Buffer, decoder: Transform, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  decoder.end(bytes);
  for await (const chunk of decoder as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= most) break;
  }
  return Buffer.concat(chunks);
}

function decoderOf(coding: string, bytes: Buffer, isPart: boolean): Transform {
  const inflating = isPart ? { finishFlush: constants.Z_SYNC_FLUSH } : {};
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip(inflating);
    case 'deflate':
      // Many servers send it without the frame that RFC 9110 section 8.4.1.2 asks for.
      return isFramed(bytes) ? createInflate(inflating) : createInflateRaw(inflating);
    case 'br':
      return createBrotliDecompress(isPart ? { finishFlush: constants.BROTLI_OPERATION_FLUSH } : {});
    default:
      throw new Error('the coding is not known here');
  }
}

/** What is coded holds bytes that no text has. */
function isPlainText(bytes: Buffer): boolean {
  return isUtf8(bytes) && !bytes.some((byte) => byte < LOWEST_OF_TEXT);
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
