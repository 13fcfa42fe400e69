/** Longest piece of a value that a report shows. */
const LONGEST_VALUE = 200;

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A stranger's text for one line of a report: control and direction characters shown as codes, cut at 200. */
export function visibleText(text: string): string {
  const cut = text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
  return cut
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => NAMED[character] ?? codeOf(character));
}

function codeOf(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}}`;
}
