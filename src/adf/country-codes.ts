/**
 * The names by which people call the countries that a buyer may live in, English and their own; ADF wants the letters of
 * ISO 3166. In the form in which `countryCodeOf` compares them.
 */
const NAMES: Readonly<Record<string, string>> = {
  US: 'usa, us of a, united states, united states of america, america, estados unidos, ee uu, eeuu',
  CA: 'can, canada',
  MX: 'mex, mexico, estados unidos mexicanos',
  PR: 'puerto rico',
  VI: 'us virgin islands, virgin islands',
  GU: 'guam',
  AS: 'american samoa',
  MP: 'northern mariana islands',
  GB: 'uk, gbr, united kingdom, great britain, britain, england, scotland, wales, northern ireland',
  IE: 'irl, ireland, republic of ireland, eire',
  DE: 'deu, ger, germany, deutschland, alemania, allemagne',
  FR: 'fra, france, francia',
  ES: 'esp, spain, espana',
  PT: 'prt, portugal',
  IT: 'ita, italy, italia',
  AT: 'aut, austria, osterreich',
  CH: 'che, switzerland, schweiz, suisse, svizzera',
  NL: 'nld, netherlands, holland, nederland',
  BE: 'bel, belgium, belgie, belgique',
  LU: 'luxembourg',
  DK: 'dnk, denmark, danmark',
  SE: 'swe, sweden, sverige',
  NO: 'nor, norway, norge',
  FI: 'fin, finland, suomi',
  IS: 'iceland',
  PL: 'pol, poland, polska',
  CZ: 'cze, czechia, czech republic',
  SK: 'slovakia',
  HU: 'hungary',
  RO: 'romania',
  BG: 'bulgaria',
  GR: 'grc, greece',
  HR: 'croatia',
  RS: 'serbia',
  UA: 'ukr, ukraine',
  RU: 'rus, russia, russian federation',
  TR: 'tur, turkey, turkiye',
  IL: 'isr, israel',
  EG: 'egypt',
  SA: 'saudi arabia',
  AE: 'uae, are, united arab emirates',
  ZA: 'zaf, south africa',
  NG: 'nigeria',
  KE: 'kenya',
  GH: 'ghana',
  IN: 'ind, india',
  PK: 'pakistan',
  BD: 'bangladesh',
  CN: 'chn, china, peoples republic of china, prc',
  HK: 'hong kong',
  TW: 'taiwan',
  JP: 'jpn, japan',
  KR: 'kor, south korea, republic of korea, korea',
  PH: 'phl, philippines',
  VN: 'vietnam, viet nam',
  TH: 'thailand',
  SG: 'singapore',
  MY: 'malaysia',
  ID: 'indonesia',
  AU: 'aus, australia',
  NZ: 'nzl, new zealand',
  BR: 'bra, brazil, brasil',
  AR: 'arg, argentina',
  CL: 'chl, chile',
  CO: 'col, colombia',
  PE: 'per, peru',
  VE: 'venezuela',
  EC: 'ecuador',
  BO: 'bolivia',
  UY: 'uruguay',
  PY: 'paraguay',
  CR: 'costa rica',
  PA: 'panama',
  GT: 'guatemala',
  HN: 'honduras',
  SV: 'el salvador',
  NI: 'nicaragua',
  CU: 'cuba',
  DO: 'dominican republic, republica dominicana',
  HT: 'haiti',
  JM: 'jamaica',
  BS: 'bahamas',
  BM: 'bermuda',
  TT: 'trinidad and tobago, trinidad',
  BB: 'barbados',
};

const CODES: ReadonlyMap<string, string> = new Map(
  Object.entries(NAMES).flatMap(([code, names]) => names.split(', ').map((name) => [name, code] as const)),
);

/** The two letters of a country; a name that is not known stays as it came. */
export function countryCodeOf(country: string): string {
  const name = plain(country);
  return CODES.get(name) ?? (/^[a-z]{2}$/.test(name) ? name.toUpperCase() : country);
}

/** Without case, accents, dots, hyphens and article. */
function plain(country: string): string {
  return country
    .normalize('NFKD')
    .replace(/[\p{M}.'’]/gu, '')
    .replace(/[\s-]+/g, ' ')
    .trim()
    .toLowerCase()
    .replace(/^the /, '');
}
