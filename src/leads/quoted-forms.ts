/**
 * What we sent comes back in other clothes: a server quotes a form as it came in, a page with its entities, a mail in
 * quoted-printable, or all of it in base64. Whatever is masked in plain text is masked in these forms, too.
 */

type Decode = (text: string) => string;

/** Text without any of these is in no other form. */
const SIGNS = /[%&=\\+]/;
/** A word of base64, also in the letters for web addresses, and wrapped as in mails. */
const BASE64 = /(?<![\w+/-])[\w+/-]{4,}(?:(?<=[\w+/-]{60}) [\w+/-]+)*={0,2}/g;
/** Of one that was cut at its begin the first letters belong to a letter that is gone. */
const LETTERS_OF_THREE_BYTES = 4;
/** Below that a cut one would hold next to nothing, and words of the language would look like one. */
const SHORTEST_CUT = 16;
/** What is base64 of a text is a text; letters at its ends may have been cut. */
// eslint-disable-next-line no-control-regex
const NO_TEXT = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\ufffd]/;

const percent: Decode = (text) =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => ofBytes(run.replace(/%/g, '')));
/** Blanks within words only: a phone number may begin with its plus. */
const form: Decode = (text) => percent(text.replace(/(?<=[^\s+])\+(?=[^\s+])/g, ' '));
const quotedPrintable: Decode = (text) =>
  text.replace(/=\s/g, '').replace(/(?:=[0-9a-f]{2})+/gi, (run) => ofBytes(run.replace(/=/g, '')));
const unicodeEscapes: Decode = (text) =>
  text.replace(/(?:\\|%)u([0-9a-f]{4})/gi, (_all, code: string) => String.fromCharCode(parseInt(code, 16)));

const MARKS: Readonly<Record<string, string>> = {
  grave: '\u0300',
  acute: '\u0301',
  circ: '\u0302',
  tilde: '\u0303',
  uml: '\u0308',
  ring: '\u030a',
  caron: '\u030c',
  cedil: '\u0327',
};
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  commat: '@',
  plus: '+',
  period: '.',
  szlig: 'ß',
  oslash: 'ø',
  Oslash: 'Ø',
  aelig: 'æ',
  AElig: 'Æ',
};
const entities: Decode = (text) =>
  text
    .replace(/&#(?:x([0-9a-f]{1,6})|(\d{1,7}));?/gi, (all, hex: string | undefined, decimal = '') =>
      ofCode(hex === undefined ? Number(decimal) : parseInt(hex, 16), all),
    )
    .replace(
      /&([a-z])(grave|acute|circ|tilde|uml|ring|caron|cedil);/gi,
      (all, letter: string, name: string) => `${letter}${MARKS[name.toLowerCase()] ?? all}`.normalize('NFC'),
    )
    .replace(/&(\w{2,8});/g, (all, name: string) => NAMED[name] ?? all);

/** A form before plain percents: a number with blanks in it must be seen whole. */
const FORMS: readonly Decode[] = [form, percent, entities, unicodeEscapes];
/** One within another, such as a web address with `%2540` or in a page, and each alone. */
const WAYS = [...within(FORMS, FORMS), ...FORMS];
/** `name=ADA` reads like quoted-printable and is none: these come after the plain text. */
const DOUBTFUL_WAYS = [
  quotedPrintable,
  ...within([quotedPrintable], FORMS),
  ...within(FORMS, [quotedPrintable]),
];

function within(outers: readonly Decode[], inners: readonly Decode[]): Decode[] {
  return outers.flatMap((outer) =>
    inners.map(
      (inner): Decode =>
        (text) =>
          inner(outer(text)),
    ),
  );
}

/**
 * The text with what `mask` takes out of it, in whatever form it stands there. Where a form hid something, the text is
 * told in plain; a word of base64 becomes `instead` as a whole.
 */
export function maskInEveryForm(text: string, mask: (plain: string) => string, instead: string): string {
  const maskAll = (plain: string): string => maskBase64(mask(plain), mask, instead);
  if (!SIGNS.test(text)) return maskAll(text);
  const seen = new Set<string>();
  const maskIn = (kept: string, decode: Decode): string => {
    const plain = decode(kept);
    if (plain === kept || seen.has(plain)) return kept;
    seen.add(plain);
    const masked = maskAll(plain);
    return masked === plain ? kept : masked;
  };
  // Before a plus in it is taken for a blank.
  const withoutBase64 = maskBase64(text, mask, instead);
  return DOUBTFUL_WAYS.reduce(maskIn, maskAll(WAYS.reduce(maskIn, withoutBase64)));
}

function maskBase64(text: string, mask: (plain: string) => string, instead: string): string {
  return text.replace(BASE64, (word) => {
    const letters = word.replace(/[ =]/g, '');
    const cuts = letters.length < SHORTEST_CUT ? 1 : LETTERS_OF_THREE_BYTES;
    for (let cut = 0; cut < cuts; cut++) {
      const plain = Buffer.from(letters.slice(cut), 'base64')
        .toString('utf8')
        .replace(/^\ufffd+|\ufffd+$/g, '');
      if (!NO_TEXT.test(plain) && mask(plain) !== plain) return instead;
    }
    return word;
  });
}

/** UTF-8, or what older programs write. */
function ofBytes(hex: string): string {
  const bytes = Buffer.from(hex, 'hex');
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') ? bytes.toString('latin1') : text;
}

function ofCode(code: number, otherwise: string): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : otherwise;
}
