/** Printable ASCII, without blanks at the ends or two in a row: what nearly all texts are. */
const PLAIN_WORDS = /^[!-~]+(?: [!-~]+)*$/;

/**
 * How texts are compared (aap-v1.3 section 5): without case, accents and blanks at the ends, and runs of blanks
 * count as one. `Citroën ` and `citroen` are the same word, `Crew  Cab` and `crew cab` too.
 */
export function fold(text: string): string {
  if (PLAIN_WORDS.test(text)) return text.toLowerCase();
  const withoutMarks = text.normalize('NFKD').replace(/\p{M}+/gu, '');
  return withoutMarks.toLowerCase().trim().replace(/\s+/g, ' ');
}
