import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { decode } from '../../src/feeds/reading/decode.ts';
import type { FeedEncoding } from '../../src/feeds/records.ts';
import { unpackedBytes } from './reader-run.ts';

const TEXT = 'Stock,Comments\r\nT1,Café “20” naïve – €5 😀\r\n';

async function decoded(
  bytes: Uint8Array,
  options: { encoding?: FeedEncoding; chunkBytes?: number } = {},
): Promise<{ encoding: FeedEncoding; text: string }> {
  const { encoding, chunkBytes } = options;
  const result = await decode(unpackedBytes(bytes, chunkBytes), encoding === undefined ? {} : { encoding });
  if (!result.ok) throw new Error(result.problems[0]?.message);
  const texts = [];
  for (let pass = 0; pass < 2; pass += 1) {
    let text = '';
    for await (const chunk of result.value.open()) text += chunk;
    texts.push(text);
  }
  expect(texts[1]).toBe(texts[0]);
  return { encoding: result.value.encoding, text: texts[0] ?? '' };
}

async function refusal(bytes: Uint8Array | string, encoding?: FeedEncoding): Promise<[string, string]> {
  const file = unpackedBytes(Buffer.from(bytes as string));
  const result = await decode(file, encoding === undefined ? {} : { encoding });
  if (result.ok) throw new Error(`accepted as ${result.value.encoding}`);
  return [result.problems[0]?.code ?? '', result.problems[0]?.message ?? ''];
}

const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

const ASCII_HEADER = 'Stock,Comments and all that\r\nT1,é';

describe('text in every encoding comes out the same, wherever the chunks are cut', () => {
  test.each<[string, FeedEncoding, string, Buffer]>([
    ['UTF-8', 'utf-8', TEXT, Buffer.from(TEXT)],
    ['UTF-8 with a mark', 'utf-8', TEXT, Buffer.from(`\uFEFF${TEXT}`)],
    ['UTF-16 LE with a mark', 'utf-16le', TEXT, Buffer.from(`\uFEFF${TEXT}`, 'utf16le')],
    ['UTF-16 BE with a mark', 'utf-16be', TEXT, utf16be(`\uFEFF${TEXT}`)],
    ['UTF-16 LE without a mark', 'utf-16le', ASCII_HEADER, Buffer.from(ASCII_HEADER, 'utf16le')],
    ['UTF-16 BE without a mark', 'utf-16be', ASCII_HEADER, utf16be(ASCII_HEADER)],
  ])('%s', async (_, encoding, text, bytes) => {
    for (const chunkBytes of [1, 2, 3, 5, 65_536]) {
      expect(await decoded(bytes, { chunkBytes })).toEqual({ encoding, text });
    }
  });
});

describe('bytes that are no UTF-8', () => {
  test('are windows-1252 and never leave a replacement character', async () => {
    const bytes = Buffer.concat([
      latin1('A,B\r\nDealer'),
      Buffer.from([0x92]),
      latin1('s '),
      Buffer.from([0x93, 0x80, 0x99, 0x94, 0xe9]),
    ]);
    expect(await decoded(bytes)).toEqual({ encoding: 'windows-1252', text: 'A,B\r\nDealer’s “€™”é' });
  });

  test('decide for the whole file even if they stand at its very end', async () => {
    const bytes = Buffer.concat([Buffer.from('é,'.repeat(100_000)), Buffer.from([0xe9, 0x2e])]);
    const { encoding, text } = await decoded(bytes);
    expect(encoding).toBe('windows-1252');
    expect(text.slice(0, 4)).toBe('Ã©,Ã');
    expect(text.slice(-2)).toBe('é.');
  });

  test('are none where UTF-8 breaks off inside of its last character: the file was cut', async () => {
    const file = unpackedBytes(Buffer.from('é,é').subarray(0, -1));
    const result = await decode(file);
    expect(result.ok && result.value).toMatchObject({ encoding: 'utf-8', endsInsideCharacter: true });
  });

  test.each([
    ['cut in the middle of a character', [0x41, 0xe2, 0x82]],
    ['over-long', [0x41, 0xc0, 0xaf]],
    ['a surrogate', [0x41, 0xed, 0xa0, 0x80]],
    ['beyond Unicode', [0x41, 0xf5, 0x80, 0x80, 0x80]],
    ['a lone continuation', [0x41, 0x80]],
  ])('are told apart strictly: %s', async (_, bytes) => {
    for (const chunkBytes of [1, 2, 100]) {
      expect((await decoded(Buffer.from(bytes), { chunkBytes })).encoding).toBe('windows-1252');
    }
  });

  test('break the promise of a UTF-8 mark, prolog or profile', async () => {
    const tail = Buffer.from([0xe9, 0x41]);
    expect((await refusal(Buffer.concat([Buffer.from('\uFEFFA,B\r\n'), tail])))[0]).toBe('encoding_broken');
    expect(
      (await refusal(Buffer.concat([latin1('<?xml version="1.0" encoding="UTF-8"?><a>'), tail])))[0],
    ).toBe('encoding_broken');
    expect((await refusal(tail, 'utf-8'))[0]).toBe('encoding_broken');
  });
});

describe('what the file or the profile says', () => {
  test.each<[string, FeedEncoding]>([
    ['ISO-8859-1', 'iso-8859-1'],
    ['windows-1252', 'windows-1252'],
    ['us-ascii', 'windows-1252'],
    ['utf-16', 'windows-1252'],
  ])('an XML prolog that names %s is read as %s', async (name, encoding) => {
    const xml = `<?xml version='1.0' encoding='${name}'?>\n<a>Café</a>`;
    expect(await decoded(latin1(xml))).toEqual({ encoding, text: xml });
  });

  test('a declaration wins over bytes that happen to be sound UTF-8', async () => {
    const xml = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>Ã©</a>', 'latin1');
    expect((await decoded(xml)).text).toContain('Ã©');
  });

  test('an encoding nobody knows is refused by its name', async () => {
    const xml = '<?xml version="1.0" encoding="EBCDIC-US"?><a/>';
    expect(await refusal(xml)).toEqual(['encoding_unknown', expect.stringContaining('ebcdic-us')]);
  });

  test("the profile's word counts, and a mark counts more", async () => {
    expect(await decoded(Buffer.from('é'), { encoding: 'windows-1252' })).toEqual({
      encoding: 'windows-1252',
      text: 'Ã©',
    });
    expect(await decoded(Buffer.from('\uFEFFé'), { encoding: 'windows-1252' })).toEqual({
      encoding: 'utf-8',
      text: 'é',
    });
  });
});

describe('what is no text or no export', () => {
  test.each([
    ['PDF', '%PDF-1.7\n', 'a PDF document'],
    ['picture', latin1('\x89PNG\r\n\x1a\n'), 'a picture'],
    ['old workbook', latin1('\xd0\xcf\x11\xe0\xa1\xb1'), 'export the inventory as CSV'],
    ['archive in an archive', gzipSync('x'), 'an archive inside of an archive'],
    ['zero bytes', 'Stock,VIN\r\nT1\0,x\r\n', 'binary data'],
    ['doctype', '\uFEFF \r\n<!DOCTYPE HTML PUBLIC "x"><html>', 'a web page'],
    ['html', '<!-- moved -->\n<HTML lang="en">', 'a web page'],
    ['xhtml', '<?xml version="1.0"?>\n<!doctype html>\n<html/>', 'a web page'],
  ])('%s is refused with a word about what it is', async (_, bytes, words) => {
    expect(await refusal(bytes)).toEqual(['not_a_feed', expect.stringContaining(words)]);
  });

  test('a zero byte far down is found', async () => {
    expect((await refusal(`${'Stock,VIN\r\n'.repeat(50_000)}\0`))[0]).toBe('not_a_feed');
  });

  test('a feed that only speaks of HTML is a feed', async () => {
    expect((await decoded(Buffer.from('Stock,Comments\r\nT1,"<html><b>x</b>"'))).encoding).toBe('utf-8');
  });

  test('half a UTF-16 character is refused', async () => {
    expect((await refusal(Buffer.from('\uFEFFabc', 'utf16le').subarray(0, 7)))[0]).toBe('encoding_broken');
  });
});
