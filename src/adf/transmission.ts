const AUTOMATIC = new Set([
  'auto',
  'automatic',
  'automated',
  'cvt',
  'ecvt',
  'ivt',
  'dct',
  'dsg',
  'pdk',
  'tiptronic',
  'steptronic',
  'multitronic',
  'powershift',
]);
const MANUAL = new Set(['manual', 'stick']);
/** Words that make a choice or a denial of what stands beside them. */
const UNCLEAR = new Set(['or', 'no', 'not', 'non', 'without']);

/** `A`, `6MT`, `10-speed A`, `8 spd AT`. */
const SHORT = /^(?:\d{1,2}[\s-]*(?:speed|spd)?[\s-]*)?([am])t?$/i;
/** What begins here is an extra: a manual one may help with revs, holds and starts by itself. */
const EXTRAS = /\bwith\b|\bw\/(?!o\b)/i;
/** Only what shifts by itself has one. */
const MANUAL_MODE = /\bmanual(?:[\s-]+shift(?:ing)?)?[\s-]+(?:mode|override|control)\b/gi;
const REV_MATCHING = /\bauto(?:matic)?(?:\s+downshift)?[\s-]+rev[\s-]*match\w*/gi;

/**
 * ADF wants `A` or `M` (adf-1.0 section 1.2). Whole words count, not parts of them; an automated manual and an
 * automatic with manual mode shift by themselves, so they are A. Undefined when the text does not say.
 */
export function transmissionLetter(text: string): 'A' | 'M' | undefined {
  // A/T and M/T.
  const short = SHORT.exec(text.trim().replace(/\b([am])\/(?=t\b)/i, '$1'))?.[1];
  if (short !== undefined) return short.toLowerCase() === 'a' ? 'A' : 'M';
  const words: string[] = text.toLowerCase().match(/[a-z]+/g) ?? [];
  if (words.some((word) => UNCLEAR.has(word))) return undefined;
  const plain = text.replace(REV_MATCHING, '').replace(MANUAL_MODE, '');
  return letterOf(plain.split(EXTRAS, 1)[0] ?? '') ?? letterOf(plain);
}

function letterOf(text: string): 'A' | 'M' | undefined {
  const words: string[] = text.toLowerCase().match(/[a-z]+/g) ?? [];
  const shiftsItself = [
    ['dual', 'clutch'],
    ['continuously', 'variable'],
  ].some((pair) => pair.every((word) => words.includes(word)));
  if (shiftsItself || words.some((word) => AUTOMATIC.has(word))) return 'A';
  return words.some((word) => MANUAL.has(word)) ? 'M' : undefined;
}
