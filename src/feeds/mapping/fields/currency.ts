/** How exports write US dollars; lower case, without blanks and full stops. */
const US_DOLLARS = new Set([
  ...['usd', 'us', 'usa', '$', 'us$', '$us', 'usd$', '$usd', '840'],
  ...['dollar', 'dollars', 'usdollar', 'usdollars', 'unitedstatesdollar', 'unitedstatesdollars'],
]);

const SIGNS = new Set([
  '€',
  '£',
  '¥',
  'c$',
  'ca$',
  'cdn$',
  'cad$',
  'a$',
  'au$',
  'aud$',
  'mx$',
  'mxn$',
  'nz$',
  'r$',
]);
const NAMES = /^(?:canadian|mexican|australian|euros?$|pesos?|pounds?$|sterling|yen$|francs?$|loonies?$)/;

/** Three letters that are no currency and stand in such columns. */
const NO_CURRENCY = new Set(['n/a', 'nil', 'yes', 'all', 'tbd', 'new', 'net']);

/** What a text beside a price says of its currency; `unclear` for what is no currency at all. */
export function currencyOf(raw: string): 'dollars' | 'foreign' | 'unclear' {
  const word = raw
    .trim()
    .toLowerCase()
    .replace(/[\s.]+/g, '');
  if (US_DOLLARS.has(word)) return 'dollars';
  const isCode = /^[a-z]{3}$/.test(word) && !NO_CURRENCY.has(word);
  return isCode || SIGNS.has(word) || NAMES.test(word) ? 'foreign' : 'unclear';
}
