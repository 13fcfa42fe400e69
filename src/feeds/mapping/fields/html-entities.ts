/** Named character references that stand in dealers' texts. */
const NAMED: Readonly<Record<string, string>> = {
  ...{
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: ' ',
    ensp: ' ',
    emsp: ' ',
    thinsp: ' ',
    shy: '',
  },
  ...{ ndash: '–', mdash: '—', lsquo: '‘', rsquo: '’', sbquo: '‚', ldquo: '“', rdquo: '”', bdquo: '„' },
  ...{ laquo: '«', raquo: '»', hellip: '…', bull: '•', middot: '·', star: '☆', starf: '★', check: '✓' },
  ...{
    trade: '™',
    reg: '®',
    copy: '©',
    deg: '°',
    prime: '′',
    Prime: '″',
    times: '×',
    divide: '÷',
    plusmn: '±',
  },
  ...{
    frac12: '½',
    frac14: '¼',
    frac34: '¾',
    sup1: '¹',
    sup2: '²',
    sup3: '³',
    micro: 'µ',
    para: '¶',
    sect: '§',
  },
  ...{ cent: '¢', pound: '£', euro: '€', yen: '¥', iexcl: '¡', iquest: '¿', ordf: 'ª', ordm: 'º' },
  ...{ agrave: 'à', aacute: 'á', acirc: 'â', atilde: 'ã', auml: 'ä', aring: 'å', aelig: 'æ', ccedil: 'ç' },
  ...{ egrave: 'è', eacute: 'é', ecirc: 'ê', euml: 'ë', igrave: 'ì', iacute: 'í', icirc: 'î', iuml: 'ï' },
  ...{ ntilde: 'ñ', ograve: 'ò', oacute: 'ó', ocirc: 'ô', otilde: 'õ', ouml: 'ö', oslash: 'ø', szlig: 'ß' },
  ...{ ugrave: 'ù', uacute: 'ú', ucirc: 'û', uuml: 'ü', yuml: 'ÿ' },
  ...{ Agrave: 'À', Aacute: 'Á', Acirc: 'Â', Atilde: 'Ã', Auml: 'Ä', Aring: 'Å', Ccedil: 'Ç', Eacute: 'É' },
  ...{ Egrave: 'È', Ecirc: 'Ê', Iacute: 'Í', Ntilde: 'Ñ', Oacute: 'Ó', Ouml: 'Ö', Oslash: 'Ø', Uacute: 'Ú' },
  ...{
    Uuml: 'Ü',
    rarr: '→',
    larr: '←',
    uarr: '↑',
    darr: '↓',
    infin: '∞',
    ne: '≠',
    le: '≤',
    ge: '≥',
    zwj: '',
  },
};

/** Windows-1252 characters at 128-159, which pages write as `&#146;` though Unicode has controls there. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

const REFERENCE = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z][a-zA-Z0-9]{1,8}));/g;

/** Decodes once. What is no known reference stays as it stands: a bare `&` is text. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(REFERENCE, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return Object.hasOwn(NAMED, name) ? (NAMED[name] ?? whole) : whole;
    const codePoint = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number.parseInt(decimal, 10);
    return characterOf(codePoint) ?? whole;
  });
}

function characterOf(codePoint: number): string | undefined {
  if (codePoint === 160) return ' ';
  if (codePoint >= 128 && codePoint <= 159) return WINDOWS_1252.charAt(codePoint - 128);
  const isSurrogate = codePoint >= 0xd800 && codePoint <= 0xdfff;
  return codePoint < 32 && ![9, 10, 13].includes(codePoint)
    ? ''
    : codePoint > 0x10ffff || isSurrogate
      ? undefined
      : String.fromCodePoint(codePoint);
}
