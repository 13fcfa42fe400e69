import { failure, success, type Result } from '../../model/problem.ts';
import {
  byteOrderMark,
  declaredEncoding,
  isUtf32,
  mixedDecoding,
  namedEncoding,
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
 * Finds out how the bytes are written, and that they are text at all. The bytes decide: a mark of UTF-16, alternating
 * zero bytes, sound UTF-8. What the file says of itself (a mark of UTF-8, an XML prolog) or the profile (`hint`) only
 * counts where the bytes leave it open; where they contradict it, a warning says so. What is left is windows-1252.
 * Reads the file once to its end. Faults: empty_file, truncated_file, not_a_feed, encoding_unknown, encoding_broken.
 */
export async function decode(
  file: UnpackedFile,
  hint: { readonly encoding?: FeedEncoding } = {},
): Promise<Result<DecodedFile>> {
  const looks = await lookThrough(file);
  const { head, bytes } = looks;
  if (bytes === 0) return failure(fileFault('empty_file'));
  const binary = recogniseBinary(head);
  if (binary !== undefined) return failure(fileFault('not_a_feed', `it is ${binary}`));
  if (isUtf32(head)) return failure(fileFault('encoding_unknown', 'it is written in UTF-32'));
  if (looks.endsInZeroBytes) {
    return failure(fileFault('truncated_file', 'it ends in zero bytes: room was made for it and not filled'));
  }
  const mark = byteOrderMark(head);
  const chosen = chooseEncoding(looks, mark, hint.encoding);
  if (!chosen.ok) return chosen;
  const { encoding } = chosen.value;
  const isUtf16 = encoding === 'utf-16le' || encoding === 'utf-16be';
  if (looks.hasZeroBytes && !isUtf16)
    return failure(fileFault('not_a_feed', 'it is binary data and no text'));
  if (isUtf16 && bytes % 2 === 1)
    return failure(fileFault('encoding_broken', `odd number of bytes in ${encoding}`));
  const markBytes = mark?.bytes ?? 0;
  if (isWebPage(textDecoding(encoding).write(head.subarray(markBytes)))) {
    return failure(fileFault('not_a_feed', 'it is a web page'));
  }
  return success({ ...chosen.value, open: () => decodeStream(file, chosen.value, markBytes) });
}

interface Looks {
  head: Buffer;
  bytes: number;
  hasZeroBytes: boolean;
  /** Two of them: the last letter of a text in UTF-16 may have one. */
  endsInZeroBytes: boolean;
  /** Complete once all bytes have gone by. */
  utf8: Utf8Check;
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
  const endsInZeroBytes = lastBytes.length === 2 && lastBytes.every((byte) => byte === 0);
  return { head, bytes, hasZeroBytes, endsInZeroBytes, utf8 };
}

type Chosen = Omit<DecodedFile, 'open'>;

function chooseEncoding(
  { head, utf8 }: Looks,
  mark: ByteOrderMark | undefined,
  hint: FeedEncoding | undefined,
): Result<Chosen> {
  const utf16 = mark?.encoding === 'utf-8' ? undefined : (mark?.encoding ?? utf16ByZeroBytes(head));
  if (utf16 !== undefined) return success({ encoding: utf16 });
  const declared = declaredEncoding(head);
  // Programs that build XML as a string call it UTF-16 and then write UTF-8; the bytes are no UTF-16.
  const named = declared === undefined || declared === 'utf-16' ? undefined : namedEncoding(declared);
  const said = mark?.encoding ?? hint ?? named;
  const claim = mark === undefined ? `it says "${declared ?? ''}"` : 'it begins with the mark of UTF-8';
  if (hint !== undefined && said === hint && hint !== 'utf-8') return success({ encoding: hint });
  if (said === 'unknown' && utf8.isAscii()) return unknown(declared);
  if (utf8.isSound()) return success({ encoding: 'utf-8', ...contradiction(said, utf8, claim) });
  const isCut = said === 'utf-8' ? utf8.isCutUtf8() : utf8.isCutShort();
  if (isCut) return success({ encoding: 'utf-8', endsInsideCharacter: true });
  if (said === 'utf-8') {
    const detail = `${claim}, and not all its bytes are; those are read as windows-1252`;
    return success({ encoding: 'utf-8', isMixed: true, notes: [{ code: 'encoding_contradicted', detail }] });
  }
  if (said === 'iso-8859-1' || said === 'iso-8859-15') return success({ encoding: said });
  if (said === undefined || said === 'windows-1252') return success({ encoding: 'windows-1252' });
  return unknown(declared);
}

function unknown(declared: string | undefined): Result<never> {
  return failure(fileFault('encoding_unknown', `its first line says "${declared ?? ''}"`));
}

/** ASCII is sound in all of them. */
function contradiction(said: string | undefined, utf8: Utf8Check, claim: string): Pick<Chosen, 'notes'> {
  if (said === undefined || said === 'utf-8' || utf8.isAscii()) return {};
  return { notes: [{ code: 'encoding_contradicted', detail: `${claim}, and its bytes are UTF-8` }] };
}

/** So much of what may be the padding of the end is kept until it is seen whether it is. */
const LONGEST_PADDING = 64 * 1024;

async function* decodeStream(
  file: UnpackedFile,
  { encoding, isMixed }: Chosen,
  markBytes: number,
): AsyncGenerator<string> {
  const decoding = isMixed === true ? mixedDecoding() : textDecoding(encoding);
  let toSkip = markBytes;
  let kept = '';
  for await (const chunk of file.open() as AsyncIterable<Buffer>) {
    const skipped = Math.min(toSkip, chunk.length);
    toSkip -= skipped;
    const text = kept + decoding.write(chunk.subarray(skipped));
    const padding = startOfPadding(text);
    const end = text.length - padding > LONGEST_PADDING ? text.length : padding;
    kept = text.slice(end);
    if (end > 0) yield text.slice(0, end);
  }
  const text = kept + decoding.end();
  const rest = text.slice(0, startOfPadding(text));
  if (rest !== '') yield rest;
}

/** Where Ctrl-Z stands, with which programs of the DOS age end a text, and nothing behind it but blanks. */
function startOfPadding(text: string): number {
  const first = text.indexOf('\x1a');
  if (first === -1) return text.length;
  let at = text.length;
  while (at > first && PADDING_CHARACTERS.has(text[at - 1] ?? '')) at -= 1;
  const mark = text.indexOf('\x1a', at);
  return mark === -1 ? text.length : mark;
}

const PADDING_CHARACTERS = new Set(['\x1a', '\n', '\r', '\t', ' ']);
