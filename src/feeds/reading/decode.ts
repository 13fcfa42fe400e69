import { failure, success, type Result } from '../../model/problem.ts';
import {
  byteOrderMark,
  declaredEncoding,
  textDecoding,
  utf16ByZeroBytes,
  Utf8Check,
  type ByteOrderMark,
} from './encoding.ts';
import { fileFault } from '../file-fault.ts';
import type { DecodedFile, FeedEncoding, UnpackedFile } from '../records.ts';
import { isWebPage, recogniseBinary } from './sniff.ts';

const HEAD_BYTES = 4096;

/**
 * Finds out how the bytes are written, and that they are text at all. In this order: byte order mark, the
 * profile's word (`hint`), alternating zero bytes, an XML prolog, and else UTF-8 if the whole file is sound UTF-8,
 * windows-1252 if not. Reads the file once to its end. Faults: empty_file, truncated_file, not_a_feed, encoding_unknown,
 * encoding_broken.
 */
export async function decode(
  file: UnpackedFile,
  hint: { readonly encoding?: FeedEncoding } = {},
): Promise<Result<DecodedFile>> {
  const { head, bytes, hasZeroBytes, endsInZeroBytes, isUtf8, isCutShort } = await lookThrough(file);
  if (bytes === 0) return failure(fileFault('empty_file'));
  const binary = recogniseBinary(head);
  if (binary !== undefined) return failure(fileFault('not_a_feed', `it is ${binary}`));
  if (endsInZeroBytes) {
    return failure(fileFault('truncated_file', 'it ends in zero bytes: room was made for it and not filled'));
  }
  const mark = byteOrderMark(head);
  const chosen = chooseEncoding(head, mark, hint.encoding, isUtf8);
  if (!chosen.ok) return chosen;
  const encoding = chosen.value;
  const isUtf16 = encoding === 'utf-16le' || encoding === 'utf-16be';
  if (hasZeroBytes && !isUtf16) return failure(fileFault('not_a_feed', 'it is binary data and no text'));
  if (isUtf16 && bytes % 2 === 1)
    return failure(fileFault('encoding_broken', `odd number of bytes in ${encoding}`));
  if (encoding === 'utf-8' && !isUtf8) return failure(fileFault('encoding_broken', 'it is not sound UTF-8'));
  const markBytes = mark?.bytes ?? 0;
  if (isWebPage(textDecoding(encoding).write(head.subarray(markBytes)))) {
    return failure(fileFault('not_a_feed', 'it is a web page'));
  }
  return success({
    encoding,
    endsInsideCharacter: encoding === 'utf-8' && isCutShort,
    open: () => decodeStream(file, encoding, markBytes),
  });
}

interface Looks {
  head: Buffer;
  bytes: number;
  hasZeroBytes: boolean;
  /** Two of them: the last letter of a text in UTF-16 may have one. */
  endsInZeroBytes: boolean;
  isUtf8: boolean;
  /** It is UTF-8, and its last character lacks bytes. */
  isCutShort: boolean;
}

async function lookThrough(file: UnpackedFile): Promise<Looks> {
  const utf8 = new Utf8Check();
  let head = Buffer.alloc(0);
  let bytes = 0;
  let hasZeroBytes = false;
  let lastBytes: number[] = [];
  for await (const chunk of file.open() as AsyncIterable<Buffer>) {
    if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES - head.length)]);
    bytes += chunk.length;
    hasZeroBytes ||= chunk.includes(0);
    lastBytes = [...lastBytes, ...chunk.subarray(-2)].slice(-2);
    utf8.add(chunk);
  }
  const isCutShort = utf8.isCutShort();
  const endsInZeroBytes = lastBytes.length === 2 && lastBytes.every((byte) => byte === 0);
  return { head, bytes, hasZeroBytes, endsInZeroBytes, isUtf8: utf8.isSound() || isCutShort, isCutShort };
}

function chooseEncoding(
  head: Buffer,
  mark: ByteOrderMark | undefined,
  hint: FeedEncoding | undefined,
  isUtf8: boolean,
): Result<FeedEncoding> {
  const certain = mark?.encoding ?? hint ?? utf16ByZeroBytes(head);
  if (certain !== undefined) return success(certain);
  const declared = declaredEncoding(head);
  switch (declared) {
    case 'utf-8':
    case 'utf8':
      return success('utf-8');
    case 'iso-8859-1':
    case 'latin1':
      return success('iso-8859-1');
    case 'windows-1252':
    case 'cp1252':
      return success('windows-1252');
    // Programs that build XML as a string call it UTF-16 and then write UTF-8; the bytes are no UTF-16.
    case 'utf-16':
    case 'us-ascii':
    case 'ascii':
    case undefined:
      return success(isUtf8 ? 'utf-8' : 'windows-1252');
    default:
      return failure(fileFault('encoding_unknown', `its first line says "${declared}"`));
  }
}

async function* decodeStream(
  file: UnpackedFile,
  encoding: FeedEncoding,
  markBytes: number,
): AsyncGenerator<string> {
  const decoding = textDecoding(encoding);
  let toSkip = markBytes;
  for await (const chunk of file.open() as AsyncIterable<Buffer>) {
    const skipped = Math.min(toSkip, chunk.length);
    toSkip -= skipped;
    const text = decoding.write(chunk.subarray(skipped));
    if (text !== '') yield text;
  }
  const rest = decoding.end();
  if (rest !== '') yield rest;
}
