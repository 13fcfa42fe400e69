/** The beginning of a text; of a character that the limit cuts in two, a replacement stands there. */
export function shorten(text: string, maxCharacters: number): string {
  return text.length <= maxCharacters ? text : text.slice(0, maxCharacters).toWellFormed();
}
