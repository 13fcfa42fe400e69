import { shorten } from '../shorten.ts';

/** What a caller or a feed has written, as it fits into a sentence: no line breaks or other control characters. */
export function oneLine(text: string, maxCharacters: number): string {
  const line = text.replace(/[\p{C}\s]+/gu, ' ').trim();
  return line.length > maxCharacters ? `${shorten(line, maxCharacters)}…` : line;
}
