import { printableText } from './printable-text.ts';

/** Narrower than this no column is cut. */
const NARROWEST = 8;
const GAP = '  ';

/** Characters that a terminal draws two cells wide: East Asian scripts and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

export interface Column {
  title: string;
  align?: 'right';
  /** Where the line is too long, columns are left out; the highest number goes first, none never. */
  dispensable?: number;
  /** Never cut: half an identifier is none. */
  whole?: boolean;
}

/**
 * Rows as aligned lines. Texts come from outside, so each cell is one line of printable characters. With `width`
 * dispensable columns are left out and then the widest cut, until a line fits.
 */
export function textTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width = Infinity,
): string {
  const measured = columns.map((column, index) => {
    const cells = [column.title, ...rows.map((row) => oneLine(row[index] ?? ''))];
    return { ...column, cells, width: Math.max(...cells.map(displayWidth)) };
  });
  const shown = withoutDispensable(measured, width);
  shrink(shown, width);
  return [undefined, ...rows]
    .map((_, line) =>
      shown
        .map((column) => fit(column.cells[line] ?? '', column.width, column.align === 'right'))
        .join(GAP)
        .trimEnd(),
    )
    .join('\n');
}

interface MeasuredColumn extends Column {
  /** Title first. */
  cells: readonly string[];
  width: number;
}

/** Any text as one line of printable characters. */
export function oneLine(text: string): string {
  return printableText(text.replace(/\s+/g, ' ').trim());
}

/** Breaks a list of words into lines of at most `width`, `indent` before each. */
export function wrapWords(words: readonly string[], width: number, indent: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && displayWidth(indent + longer) > width) {
      lines.push(indent + line);
      line = word;
    } else line = longer;
  }
  return [...lines, indent + line].join('\n');
}

/** What the terminal is wide; undefined where the output goes into a file or another program. */
export function terminalWidth(): number | undefined {
  return process.stdout.isTTY ? process.stdout.columns : undefined;
}

function lineWidth(columns: readonly MeasuredColumn[]): number {
  return columns.reduce((sum, column) => sum + column.width, GAP.length * (columns.length - 1));
}

function withoutDispensable(columns: readonly MeasuredColumn[], width: number): MeasuredColumn[] {
  const kept = [...columns];
  while (lineWidth(kept) > width) {
    const rank = Math.max(...kept.map(({ dispensable }) => dispensable ?? 0));
    if (rank === 0) break;
    kept.splice(
      kept.findIndex(({ dispensable }) => dispensable === rank),
      1,
    );
  }
  return kept;
}

function shrink(columns: readonly MeasuredColumn[], width: number): void {
  const cuttable = columns.filter(({ whole }) => whole !== true);
  while (lineWidth(columns) > width) {
    const [widest] = [...cuttable].sort((one, other) => other.width - one.width);
    if (widest === undefined || widest.width <= NARROWEST) return;
    widest.width -= 1;
  }
}

function fit(text: string, width: number, right: boolean): string {
  const shown = displayWidth(text) > width ? cut(text, width - 1) + '…' : text;
  const blanks = ' '.repeat(Math.max(width - displayWidth(shown), 0));
  return right ? blanks + shown : shown + blanks;
}

function cut(text: string, width: number): string {
  let kept = '';
  for (const { segment } of graphemes.segment(text)) {
    if (displayWidth(kept + segment) > width) break;
    kept += segment;
  }
  return kept;
}

function displayWidth(text: string): number {
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}
