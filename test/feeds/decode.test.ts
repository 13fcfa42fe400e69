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

  test('are read as windows-1252 where a mark or prolog promises UTF-8, and the rest as UTF-8', async () => {
    const prolog = '<?xml version="1.0" encoding="UTF-8"?>';
    for (const start of ['\uFEFF', prolog]) {
      const bytes = Buffer.concat([Buffer.from(`${start}<a>漢 é `), Buffer.from([0xe9, 0x93, 0x20, 0x80])]);
      for (const chunkBytes of [1, 2, 7, 100]) {
        const { encoding, text } = await decoded(bytes, { chunkBytes });
        expect([encoding, text]).toEqual(['utf-8', `${start.replace('\uFEFF', '')}<a>漢 é é“ €`]);
      }
      const result = await decode(unpackedBytes(bytes));
      expect(result.ok && result.value.notes?.map(({ code }) => code)).toEqual(['encoding_contradicted']);
    }
  });

  test('are a cut where a mark promises UTF-8 and the only long character lacks bytes', async () => {
    const result = await decode(unpackedBytes(Buffer.from('\uFEFFA,B\n1,é').subarray(0, -1)));
    expect(result.ok && result.value).toMatchObject({ encoding: 'utf-8', endsInsideCharacter: true });
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

  test.each(['ISO-8859-1', 'latin-1', 'windows-1252', 'windows-1250', 'iso-8859-15', 'x-none'])(
    'sound UTF-8 is read as such although the prolog names %s, and the report tells it',
    async (name) => {
      const xml = `<?xml version="1.0" encoding="${name}"?><a>café</a>`;
      const result = await decode(unpackedBytes(Buffer.from(xml)));
      expect(result.ok && result.value).toMatchObject({
        encoding: 'utf-8',
        notes: [{ code: 'encoding_contradicted', detail: expect.stringContaining(name.toLowerCase()) }],
      });
      expect((await decoded(Buffer.from(xml))).text).toBe(xml);
    },
  );

  test.each<[string, FeedEncoding]>([
    ['latin-1', 'iso-8859-1'],
    ['ISO8859-1', 'iso-8859-1'],
    ['ISO_8859-1', 'iso-8859-1'],
    ['x-cp1252', 'windows-1252'],
    ['ANSI', 'windows-1252'],
  ])('bytes that are no UTF-8 are read as the prolog says, also spelled %s', async (name, encoding) => {
    const xml = `<?xml version="1.0" encoding="${name}"?><a>Café</a>`;
    expect(await decoded(latin1(xml))).toEqual({ encoding, text: xml });
  });

  test('ISO 8859-15 has the euro where ISO 8859-1 has another sign', async () => {
    const xml = '<?xml version="1.0" encoding="iso-8859-15"?><a>';
    const bytes = Buffer.concat([latin1(xml), Buffer.from([0xa4, 0x35, 0xe9, 0xbd, 0xa3])]);
    expect(await decoded(bytes)).toEqual({ encoding: 'iso-8859-15', text: `${xml}€5éœ£` });
  });

  test.each(['windows-1250', 'shift_jis', 'koi8-r'])(
    'pure ASCII is read whatever %s may mean beyond it, and anything else is refused',
    async (name) => {
      const xml = `<?xml version="1.0" encoding="${name}"?><a>Cafe</a>`;
      expect(await decoded(Buffer.from(xml))).toEqual({ encoding: 'utf-8', text: xml });
      expect((await refusal(latin1(xml.replace('Cafe', 'Café'))))[0]).toBe('encoding_unknown');
    },
  );

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

describe('Ctrl-Z at the end of the text', () => {
  test.each(['\x1a', '\x1a\r\n', '\x1a'.repeat(127), '\x1a \x1a\n'])('is no part of it (%j)', async (end) => {
    for (const chunkBytes of [1, 3, 65_536]) {
      const { text } = await decoded(Buffer.from(`A,B\r\n1,2\r\n${end}`), { chunkBytes });
      expect(text).toBe('A,B\r\n1,2\r\n');
    }
  });

  test('stays where text follows', async () => {
    expect((await decoded(Buffer.from('A\x1aB\x1a\n C\n'), { chunkBytes: 2 })).text).toBe('A\x1aB\x1a\n C\n');
  });
});

describe('what is no text or no export', () => {
  test.each([
    ['PDF', '%PDF-1.7\n', 'a PDF document'],
    ['picture', latin1('\x89PNG\r\n\x1a\n'), 'a picture'],
    ['old workbook', latin1('\xd0\xcf\x11\xe0\xa1\xb1'), 'export the inventory as CSV'],
    ['archive in an archive', gzipSync('x'), 'an archive inside of an archive'],
    [
      'tar archive',
      Buffer.concat([Buffer.alloc(257, 'a'), Buffer.from('ustar\0'), Buffer.alloc(249)]),
      'a tar archive',
    ],
    ['zero bytes', 'Stock,VIN\r\nT1\0,x\r\n', 'binary data'],
    ['doctype', '\uFEFF \r\n<!DOCTYPE HTML PUBLIC "x"><html>', 'a web page'],
    ['html', '<!-- moved -->\n<HTML lang="en">', 'a web page'],
    ['xhtml', '<?xml version="1.0"?>\n<!doctype html>\n<html/>', 'a web page'],
  ])('%s is refused with a word about what it is', async (_, bytes, words) => {
    expect(await refusal(bytes)).toEqual(['not_a_feed', expect.stringContaining(words)]);
  });

  test.each([
    ['with a mark', [0xff, 0xfe, 0, 0, 0x41, 0, 0, 0]],
    ['without one', [0x41, 0, 0, 0, 0x42, 0, 0, 0, 0x43, 0, 0, 0, 0x44, 0, 0, 0]],
    ['the other way round', [0, 0, 0xfe, 0xff, 0, 0, 0, 0x41]],
  ])('UTF-32 %s is refused by its name', async (_, bytes) => {
    expect(await refusal(Buffer.from(bytes))).toEqual([
      'encoding_unknown',
      expect.stringContaining('UTF-32'),
    ]);
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
