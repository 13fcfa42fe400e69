/**
 * Text for a terminal. What a buyer sent may hold escape sequences or marks that turn the reading direction; each
 * such character becomes a question mark, line ends stay.
 */
export function printableText(text: string): string {
  return text.replace(/(?!\n)[\p{Cc}\p{Bidi_Control}]/gu, '?');
}
