/** What XML 1.0 cannot carry, not even as a reference: most controls, U+FFFE, U+FFFF and lone surrogates. */
const FORBIDDEN = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

const LINE_BREAKS = /[\t\n\r\u0085\u2028\u2029]+/u;

/** Free text as the buyer wrote it, line breaks included, without the characters that XML forbids. */
export function freeText(text: string): string {
  return text.replace(FORBIDDEN, '');
}

/** Text of a field that holds one line: line breaks and tabs become one blank, blanks at the ends go. */
export function singleLine(text: string): string {
  const parts = freeText(text)
    .split(LINE_BREAKS)
    .map((part) => part.trim());
  return parts.filter((part) => part !== '').join(' ');
}

/** In digits throughout: no CRM reads 1e+21. */
export function numberText(value: number): string {
  return Number.isInteger(value) ? BigInt(value).toString() : String(value);
}

/** One line of a value that may be absent or not what its type says; undefined when there is nothing to write. */
export function lineOf(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? numberText(value) : undefined;
  if (typeof value !== 'string') return undefined;
  const line = singleLine(value);
  return line === '' ? undefined : line;
}
