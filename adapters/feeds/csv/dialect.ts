/** The settings of options.schema.json. */
export interface CsvOptions {
  readonly delimiter?: 'auto' | Delimiter;
  readonly quote?: '"' | 'none';
  readonly header?: boolean;
  readonly columns?: readonly string[];
  readonly literal_newlines?: boolean;
}

/** Ties in the header line are decided in this order. */
const DELIMITERS = [',', '\t', '|', ';'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** How one file is written. */
export interface Dialect {
  readonly delimiter: Delimiter;
  /** Whether a double quote at the beginning of a value opens a quoted value. */
  readonly quoting: boolean;
  /** Whether blanks may stand before that quote: `"A1", "Nice, car"`. Only there when it is so. */
  readonly blanksBeforeQuotes?: true;
}

/** Of a header line: whether blanks stand before its quotes. */
export function hasBlanksBeforeQuotes(line: string, delimiter: Delimiter): boolean {
  for (let at = line.indexOf('"'); at !== -1; at = line.indexOf('"', at + 1)) {
    const before = line.slice(0, at);
    if (before.endsWith(' ') && before.trimEnd().endsWith(delimiter)) return true;
  }
  return false;
}

/** Some spreadsheets begin a file with `sep=;`. */
const DELIMITER_LINE = /^sep=([,\t|;])$/i;

export function namedDelimiter(line: string): Delimiter | undefined {
  const named = DELIMITER_LINE.exec(line)?.[1];
  return DELIMITERS.find((delimiter) => delimiter === named);
}

/**
 * Decided on the header line alone: commas in prices and comments of the rows below say nothing. A header that
 * comes out as one column although tabs stand in it is tab-separated, whatever the file or the profile is called.
 */
export function chooseDelimiter(header: string, wanted: 'auto' | Delimiter): Delimiter {
  const counts = countOutsideQuotes(header);
  if (wanted !== 'auto' && (counts.get(wanted) ?? 0) > 0) return wanted;
  if (wanted !== 'auto') return header.includes('\t') ? '\t' : wanted;
  const [first, ...others] = DELIMITERS;
  let best: Delimiter = first;
  for (const delimiter of others) {
    if ((counts.get(delimiter) ?? 0) > (counts.get(best) ?? 0)) best = delimiter;
  }
  return (counts.get(best) ?? 0) === 0 && header.includes('\t') ? '\t' : best;
}

function countOutsideQuotes(line: string): Map<string, number> {
  const counts = new Map<string, number>();
  let quoted = false;
  for (const character of line) {
    if (character === '"') quoted = !quoted;
    else if (!quoted) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  return counts;
}
