import type { RooftopChange } from '../../model/intake.ts';
import { ANY_ROOFTOP } from '../../model/supplement.ts';
import type { FileProblem, ReportedRow, RunReport } from './report.ts';

const EXAMPLES_A_WARNING = 3;
const LISTED_COLUMNS = 100;

const DELIMITER_NAMES: Readonly<Record<string, string>> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
  '|': 'pipe',
};

/**
 * The report as a person at the dealership reads it: what happened, what changed, what to do. Of a `preview`
 * nothing has happened.
 */
export function reportText(report: RunReport, kind: 'run' | 'preview' = 'run'): string {
  const sections = [
    kind === 'preview' ? previewHeadline(report) : headline(report),
    ...(report.problem === undefined ? [] : [problemText(report.problem)]),
    kind === 'run' && report.status === 'held' ? settling(report) : '',
    facts(report),
    kind === 'preview' ? '' : lotChanges(report),
    rejections(report, kind),
    warnings(report),
    unknownColumns(report),
    wordsKept(report),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function headline(report: RunReport): string {
  switch (report.status) {
    case 'ok':
      return `OK: all ${count(report.rows, 'row')} taken in.`;
    case 'partial':
      return report.rejected > 0
        ? `PARTIAL: ${report.rejected} of ${count(report.rows, 'row')} refused, the rest taken in.`
        : `PARTIAL: ${count(report.rows, 'row')} taken in, with a doubt about the file as a whole.`;
    case 'held':
      return 'HELD: nothing was changed; a person has to look at this file first.';
    case 'failed':
      return 'FAILED: nothing was changed; the lot stays as it was.';
  }
}

function previewHeadline(report: RunReport): string {
  const rows = count(report.rows, 'row');
  if (report.status === 'failed' || report.status === 'held') return 'This file would be refused as a whole.';
  if (report.rejected > 0) return `${report.rejected} of ${rows} would be refused, the rest taken in.`;
  return `All ${rows} would be taken in.`;
}

function problemText(problem: FileProblem): string {
  const place = [
    problem.line === undefined ? '' : `line ${problem.line}`,
    problem.column === undefined ? '' : `column ${problem.column}`,
  ].filter((part) => part !== '');
  const where = place.length === 0 ? '' : ` (${place.join(', ')})`;
  const remedy = problem.remedy === undefined ? '' : `\nWhat to do: ${problem.remedy}`;
  return `${problem.code}: ${problem.message}${where}${remedy}`;
}

/** The words to type, so that nobody has to look for the id of the run. */
function settling({ runId }: RunReport): string {
  return `To take it in as it is   feed release ${runId}\nTo put it away           feed discard ${runId}`;
}

function facts({ file, ...report }: RunReport): string {
  const delimiter =
    file.delimiter === undefined ? '' : `, ${nameOfDelimiter(file.delimiter)} between the cells`;
  const packed =
    file.container === undefined || file.container === 'none' ? '' : `, packed as ${file.container}`;
  return table([
    ['File', `${file.name} (${file.size} bytes, last changed ${file.modifiedAt})`],
    ['Feed', `${report.feedId}, profile ${report.profile}, mode ${report.mode}`],
    ['Read as', file.encoding === undefined ? 'not read' : `${encodingText(file)}${delimiter}${packed}`],
    ['Run', `${report.runId}, ${report.startedAt}, ${report.durationMs} ms`],
    ['Rows', String(report.rows)],
    ['Accepted', String(report.accepted)],
    ['Refused', String(report.rejected)],
    ...(report.joined === undefined ? [] : [['Adds to', joinedText(report.joined)]]),
    ...(report.removalsAsked === 0 ? [] : [['Asked to leave', String(report.removalsAsked)]]),
    ...(report.releasedBy === undefined ? [] : [['Released by', report.releasedBy]]),
    ...(report.sameAsLast ? [['Note', 'the same file as last time: it confirms what was there']] : []),
    ...file.warnings.map((warning) => ['Warning', `${warning.code}: ${warning.message}`]),
  ]);
}

/** Where file and bytes disagree, one name is not the whole truth. */
function encodingText({ encoding = '', warnings }: RunReport['file']): string {
  const isContradicted = warnings.some(({ code }) => code === 'encoding_contradicted');
  return isContradicted ? `${encoding} (see encoding_contradicted below)` : encoding;
}

function joinedText({ onLot, notOnLot }: NonNullable<RunReport['joined']>): string {
  const rest = notOnLot === 0 ? '' : `; ${notOnLot} more wait until their vehicle comes`;
  return `${count(onLot, 'vehicle')} on the lot${rest}`;
}

function lotChanges(report: RunReport): string {
  if (report.rooftops.length === 0) return '';
  const what = report.joined === undefined ? '' : ', in vehicles that this feed brings something for';
  const title = `${report.status === 'held' ? 'What it would change' : 'What it changed'}${what}`;
  const hasMissing = report.rooftops.some(({ missing = 0 }) => missing > 0);
  const header = ['rooftop', 'before', 'added', 'changed', 'unchanged', 'removed'];
  const more = hasMissing ? ['missing'] : [];
  const rows = report.rooftops.map((change) => changeCells(change, hasMissing));
  return `${title}\n${table([[...header, ...more], ...rows])}`;
}

function changeCells(change: RooftopChange, hasMissing: boolean): string[] {
  const { before, added, changed, unchanged, removed, missing = 0 } = change;
  const counts = [before, added, changed, unchanged, removed, ...(hasMissing ? [missing] : [])];
  return [change.rooftopId === ANY_ROOFTOP ? 'any' : change.rooftopId, ...counts.map(String)];
}

function rejections(report: RunReport, kind: 'run' | 'preview'): string {
  if (report.rejections.length === 0) return '';
  const hidden = report.rejected - report.rejections.length;
  const more = hidden > 0 ? [`  … and ${hidden} more; by code: ${countsText(report.rejectionCounts)}`] : [];
  const hint =
    kind === 'run' ? ['  With all their values, to be sent back: the .rejects.csv beside this report'] : [];
  return ['Refused rows', ...report.rejections.map((row) => rowText(row)), ...more, ...hint].join('\n');
}

function warnings(report: RunReport): string {
  const codes = Object.entries(report.warningCounts);
  if (codes.length === 0) return '';
  const lines = codes.flatMap(([code, total]) => {
    const examples = report.warnings.filter((row) => row.code === code).slice(0, EXAMPLES_A_WARNING);
    const rest = total - examples.length;
    return [
      `  ${code}: ${count(total, 'time')}`,
      ...examples.map((row) => `  ${rowText(row)}`),
      ...(rest > 0 ? [`    … and ${rest} more`] : []),
    ];
  });
  return ['Warnings (the rows were taken in)', ...lines].join('\n');
}

function unknownColumns(report: RunReport): string {
  const names = report.unknownColumns;
  if (names.length === 0) return '';
  const listed = names.slice(0, LISTED_COLUMNS).join(', ');
  const rest = names.length > LISTED_COLUMNS ? ` and ${names.length - LISTED_COLUMNS} more` : '';
  return `Columns that are not used\n  ${listed}${rest}`;
}

function wordsKept(report: RunReport): string {
  if (report.wordsKept.length === 0) return '';
  const lines = report.wordsKept.map(
    ({ field, word, rows }) => `  ${field}: "${word}" (${count(rows, 'row')})`,
  );
  return ['Words that no vocabulary knows, published as they came', ...lines].join('\n');
}

function rowText(row: ReportedRow): string {
  const place = [`line ${row.line}`, `row ${row.row}`, ...(row.key === '' ? [] : [row.key])].join(', ');
  const remedy = row.remedy === undefined ? '' : ` What to do: ${row.remedy}`;
  return `  ${place}: ${row.code}: ${row.message}.${remedy}`;
}

function nameOfDelimiter(delimiter: string): string {
  return DELIMITER_NAMES[delimiter] ?? JSON.stringify(delimiter);
}

function countsText(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([code, total]) => `${code} ${total}`)
    .join(', ');
}

function count(total: number, noun: string): string {
  return `${total} ${noun}${total === 1 ? '' : 's'}`;
}

/** Columns lined up, two blanks before and between. */
function table(lines: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const cells of lines) {
    cells.forEach((cell, index) => (widths[index] = Math.max(widths[index] ?? 0, cell.length)));
  }
  return lines
    .map((cells) => `  ${cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join('  ')}`.trimEnd())
    .join('\n');
}
