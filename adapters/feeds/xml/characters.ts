export const SECTION_OPENING = '<![CDATA[';
export const SECTION_END = ']]>';

/** Characters that XML forbids, and those that stand for two. */
const UNUSUAL = /[^\t\n\r -\ud7ff\ue000-\ufffd]/;
/** Outside of CDATA sections. */
const UNUSUAL_IN_TEXT = /&(?!(?:amp|lt|gt|quot|apos);)|\]\]>/;
const SECTION = /<!\[CDATA\[[^]*?\]\]>/g;
const LONE_RETURN = /\r(?!\n)/;

/** Whether a record holds nothing but everyday characters and XML's own five references. */
export function hasPlainCharacters(record: string, hasSections: boolean): boolean {
  if (UNUSUAL.test(record)) return false;
  return !UNUSUAL_IN_TEXT.test(hasSections ? record.replace(SECTION, '') : record);
}

/** Whether a line break is written as old Macs did, which counts as one and is cut in two by no chunk. */
export function hasLoneReturn(text: string): boolean {
  return text.includes('\r') && LONE_RETURN.test(text);
}

/** What XML takes for white space. */
export function isBlankCode(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** How far a text moves a place in a file: lines, and the characters behind the last line break. */
export interface Span {
  readonly lines: number;
  readonly columns: number;
}

export function spanOf(text: string): Span {
  let lines = 0;
  let last = -1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    lines += 1;
    last = at;
  }
  return { lines, columns: text.length - 1 - last };
}
