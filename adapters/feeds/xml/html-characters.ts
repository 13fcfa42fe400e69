/** Names of characters that HTML knows and XML does not, as far as they stand in inventory exports. */

/** U+00A0 to U+00FF in order. */
const LATIN_1 =
  `nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3
  acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig
  Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash
  Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc
  euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml
  yacute thorn yuml`.split(/\s+/);

const OTHERS: Readonly<Record<string, string>> = {
  ...{ OElig: 'Œ', oelig: 'œ', Scaron: 'Š', scaron: 'š', Yuml: 'Ÿ', fnof: 'ƒ', circ: 'ˆ', tilde: '˜' },
  ...{
    ensp: '\u2002',
    emsp: '\u2003',
    thinsp: '\u2009',
    zwnj: '\u200c',
    zwj: '\u200d',
    lrm: '\u200e',
    rlm: '\u200f',
  },
  ...{ ndash: '–', mdash: '—', lsquo: '‘', rsquo: '’', sbquo: '‚', ldquo: '“', rdquo: '”', bdquo: '„' },
  ...{
    dagger: '†',
    Dagger: '‡',
    bull: '•',
    hellip: '…',
    permil: '‰',
    prime: '′',
    Prime: '″',
    lsaquo: '‹',
    rsaquo: '›',
  },
  ...{
    euro: '€',
    trade: '™',
    larr: '←',
    uarr: '↑',
    rarr: '→',
    darr: '↓',
    minus: '−',
    radic: '√',
    infin: '∞',
  },
  ...{ asymp: '≈', ne: '≠', le: '≤', ge: '≥', star: '☆', starf: '★', check: '✓' },
};

const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ...LATIN_1.map((name, index): [string, string] => [name, String.fromCodePoint(0xa0 + index)]),
  ...Object.entries(OTHERS),
]);

export function characterOf(name: string): string | undefined {
  return CHARACTERS.get(name);
}
