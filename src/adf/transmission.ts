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

/**
 * ADF wants `A` or `M` (adf-1.0 section 1.2). Whole words count, not parts of them; an automated manual and an
 * automatic with manual mode shift by themselves, so they are A. Undefined when the text does not say.
 */
export function transmissionLetter(text: string): 'A' | 'M' | undefined {
  if (/^[am]$/i.test(text)) return text.toLowerCase() === 'a' ? 'A' : 'M';
  const words: string[] = text.toLowerCase().match(/[a-z]+/g) ?? [];
  if (words.some((word) => UNCLEAR.has(word))) return undefined;
  const dualClutch = words.includes('dual') && words.includes('clutch');
  if (dualClutch || words.some((word) => AUTOMATIC.has(word))) return 'A';
  return words.some((word) => MANUAL.has(word)) ? 'M' : undefined;
}
