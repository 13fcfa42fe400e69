const PRINTABLE_ASCII = /^[ -~]*$/;

/**
 * How texts are compared (aap-v1.3 section 5): without case, accents and blanks at the ends, and runs of blanks
 * count as one. `Citroën ` and `citroen` are the same word, `Crew  Cab` and `crew cab` too.
 */
export function fold(text: string): string {
  const plain = PRINTABLE_ASCII.test(text) ? text : text.normalize('NFKD').replace(/\p{M}+/gu, '');
  return plain.toLowerCase().trim().replace(/\s+/g, ' ');
}
