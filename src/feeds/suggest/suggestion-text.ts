import { visibleText } from '../reporting/visible-text.ts';
import type { FieldProposal, FieldSample } from './field-samples.ts';
import type { Question } from './proposal-draft.ts';
import type { Suggestion } from './suggest.ts';

const DELIMITER_NAMES: Readonly<Record<string, string>> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
  '|': 'pipe',
};
const LONGEST_SHOWN = 60;
/** VIN or stock number, year, make and model. */
const ESSENTIALS = 4;

/** The suggestion as a person reads it, without the profile itself. */
export function suggestionText(suggestion: Suggestion): string {
  const { fields, questions, neverPublished, unknown, missing } = suggestion;
  const sections = [
    fileText(suggestion),
    `Proposed mapping: field, column, and what becomes of its values\n${fields
      .filter(({ field }) => !missing.includes(field))
      .map(fieldText)
      .join('\n')}`,
    missingText(missing),
    questions.length === 0 ? '' : `Questions\n${questions.map(questionText).join('\n')}`,
    listed('Never published, because they tell of cost or of people', neverPublished),
    listed('Not used, because nothing is known of them', unknown),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function fileText({ file }: Suggestion): string {
  const { name, container, encoding, delimiter, hasHeader, record, rows, unsoundRows, warnings } = file;
  const facts = [
    ['File', container === 'none' ? name : `${name} (${container})`],
    ['Encoding', encoding],
    [
      'Kind',
      file.reader === 'xml' ? `XML, one vehicle is ${record ?? ''}` : kindOfTable(delimiter, hasHeader),
    ],
    ['Rows', unsoundRows === 0 ? String(rows) : `${rows}, ${unsoundRows} of them cannot be read`],
    ...(warnings.length === 0 ? [] : [['Odd', warnings.join(', ')]]),
  ];
  return facts.map(([label = '', text = '']) => `${label.padEnd(10)}${visibleText(text)}`).join('\n');
}

function kindOfTable(delimiter: string | undefined, hasHeader: boolean | undefined): string {
  const name =
    delimiter === undefined ? '' : `, ${DELIMITER_NAMES[delimiter] ?? delimiter} between the values`;
  const header =
    hasHeader === false ? 'no header line: columns are numbered' : 'the first line names the columns';
  return `table${name}, ${header}`;
}

/** Without a single one of the essentials it may be a list of customers, or of parts. */
function missingText(missing: readonly string[]): string {
  if (missing.length === 0) return '';
  const doubt = missing.length === ESSENTIALS ? ' Is it an export of vehicles at all?' : '';
  return `No column found for: ${missing.join(', ')}. Every file is refused until you name it.${doubt}`;
}

function fieldText({ field, columns, samples }: FieldProposal): string {
  const from = columns.length === 0 ? 'the same in every row' : columns.map(visibleText).join(', ');
  return [`  ${field}  <-  ${from}`, ...samples.map((sample) => `      ${sampleText(sample)}`)].join('\n');
}

function sampleText({ value, result, refused }: FieldSample): string {
  const outcome =
    result === undefined ? '(nothing)' : typeof result === 'string' ? result : JSON.stringify(result);
  const note = refused === undefined ? '' : `   row refused: ${refused}`;
  return `${shorten(value)}  ->  ${shorten(visibleText(outcome))}${note}`;
}

function questionText({ field, question, values }: Question): string {
  const seen = values.map(({ value, rows }) => `      ${visibleText(value)} (${rows})`);
  return [`  ${field}: ${question.split(' ').map(visibleText).join(' ')}`, ...seen].join('\n');
}

function listed(title: string, columns: readonly string[]): string {
  return columns.length === 0 ? '' : `${title}\n  ${columns.map(visibleText).join(', ')}`;
}

function shorten(text: string): string {
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}
