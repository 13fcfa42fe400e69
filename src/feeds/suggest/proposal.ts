import type { FeedMode } from '../../model/intake.ts';
import { chosenColumn } from '../profile/column-choice.ts';
import type { ProfileMap } from '../profile/feed-profile.ts';
import type { Vocabularies } from '../../model/vocabulary.ts';
import type { Aliases, AliasField } from './aliases.ts';
import type { FoundColumns } from './columns.ts';
import type { FileSketch } from './file-sketch.ts';
import { ProposalDraft, type Question } from './proposal-draft.ts';
import { askForMissing, proposeByValues } from './propose-by-values.ts';
import { proposeFeatures, proposePhotos } from './propose-lists.ts';
import { proposeDate, proposeDecimalMark, proposeMileage } from './propose-measures.ts';
import { proposePrices } from './propose-prices.ts';
import { proposeSalePrice } from './propose-sale-price.ts';
import { proposeStatus } from './propose-status.ts';
import { proposeCondition, proposeVehicleType } from './propose-words.ts';

/** The mapping that is proposed for a file. */
export interface Proposal {
  mode: FeedMode;
  action?: string;
  decimalMark?: ',';
  map: ProfileMap;
  questions: Question[];
  /** Columns that stay inside the dealership, as the file spells them. */
  neverPublished: string[];
  /** Columns that nothing is known of. */
  unknown: string[];
  /** Fields that no listing can do without and for which no column was found. */
  missing: string[];
}

/** Asked for in the order in which a profile names them. */
const ONE_COLUMN: readonly AliasField[] = [
  'vin',
  'stock',
  'year',
  'make',
  'model',
  'trim',
  'driveline',
  'engine',
  'displacement_cc',
  'fuel',
  'city_mpg',
  'highway_mpg',
  'electric_range_mi',
  'battery_kwh',
  'exterior_color',
  'interior_color',
  'description',
];
/** Several columns, of which the first that is filled counts. */
const FIRST_FILLED: readonly AliasField[] = ['dealer_id', 'body', 'transmission', 'vdp_url'];

/**
 * Chooses for each field the columns of the file that bear one of its names, and where there is none, the one whose
 * values cannot be anything else.
 */
export function propose(sketch: FileSketch, aliases: Aliases, vocabularies: Vocabularies): Proposal {
  const draft = new ProposalDraft(sketch.columns, aliases, vocabularies);
  askAboutReading(draft, sketch);
  const decimalMark = proposeDecimalMark(draft);
  const action = draft.takeFirst(draft.columns.find(aliases.aside('action')))?.name;
  proposeCondition(draft);
  proposeStatus(draft);
  proposeVehicleType(draft);
  proposeSalePrice(draft);
  proposePrices(draft);
  for (const field of FIRST_FILLED) proposeFirstFilled(draft, field);
  for (const field of ONE_COLUMN) proposeOneColumn(draft, field);
  proposeVehicleId(draft);
  proposeMileage(draft);
  proposeDate(draft);
  proposeFeatures(draft);
  proposePhotos(draft);
  proposeByValues(draft);
  const missing = askForMissing(draft);
  askAmbiguous(draft);
  const mode = chooseMode(draft, action);
  return {
    mode,
    ...(action === undefined ? {} : { action }),
    ...(decimalMark === undefined ? {} : { decimalMark }),
    map: draft.map,
    questions: draft.questions,
    neverPublished: [...draft.columns.secret.map(({ name }) => name), ...draft.secretChoices],
    unknown: draft.columns.untaken.map(({ name }) => name),
    missing,
  };
}

function askAboutReading(
  draft: ProposalDraft,
  { options, columns, hasHeader, rows, unsoundRows }: FileSketch,
): void {
  if (options.repair === true) {
    const question =
      'The XML is broken (a bare & or an HTML letter) and is mended while it is read. Can the vendor write it soundly?';
    draft.ask('options', question);
  }
  if (hasHeader === false) {
    const question =
      'The file has no line of column names: are they in this order in every export? Rename the columns as you like.';
    draft.ask('options', question);
  }
  const isMisread = hasHeader !== undefined && (columns.length === 1 || unsoundRows * 2 > rows);
  if (isMisread) {
    const question =
      'The lines do not come apart into columns. Have the export begin with the column names, without a title line ' +
      'before them, and with comma, semicolon, tab or pipe between the values.';
    draft.ask('reader', question);
  }
}

function proposeOneColumn(draft: ProposalDraft, field: AliasField): void {
  const found = draft.takeFirst(draft.candidates(field));
  if (found !== undefined) draft.map[field] = found.name;
}

function proposeFirstFilled(draft: ProposalDraft, field: AliasField): void {
  const found = draft.candidates(field);
  for (const each of found) draft.columns.take(each);
  if (found.length > 0) draft.map[field] = listOrOne(found);
}

/** The number of the system may stand for the stock number too. */
function proposeVehicleId(draft: ProposalDraft): void {
  const [found] = draft.columns.find(draft.aliases.of('vehicle_id'), 'taken too');
  if (found === undefined) return;
  draft.columns.take(found);
  draft.map.vehicle_id = found.name;
}

function askAmbiguous(draft: ProposalDraft): void {
  for (const column of draft.columns.open) {
    const ambiguity = draft.aliases.ambiguity(draft.columns.keyOf(column));
    if (ambiguity === undefined) continue;
    const fields = Object.keys(draft.map).filter((field) => namesColumn(draft.map[field], column.name));
    if (fields.includes('mileage') && draft.map.mileage !== column.name) continue; // Its unit is known.
    // That was asked already.
    if (fields.length === 0 && draft.withheld.has(column)) continue;
    const use = fields.length === 0 ? 'not used' : `taken as ${fields.join(' and ')}`;
    draft.askAbout(
      fields[0] ?? ambiguity.field,
      column,
      `Is "${column.name}" ${ambiguity.question} (Now ${use}.)`,
    );
  }
}

/** A delta read as a full file would empty the lot, so a column of actions counts as a sign of one. */
function chooseMode(draft: ProposalDraft, action: string | undefined): FeedMode {
  if (action !== undefined) {
    draft.ask(
      'mode',
      `"${action}" looks like a file of changes only (delta). Does the file hold the whole lot (full)?`,
    );
    return 'delta';
  }
  draft.ask('mode', 'Does every file hold the whole lot (full), or only what has changed (delta)?');
  return 'full';
}

function listOrOne(found: readonly FoundColumns[]): string | string[] {
  const names = found.map(({ name }) => name);
  return names.length === 1 ? (names[0] ?? '') : names;
}

function namesColumn(source: unknown, name: string): boolean {
  if (typeof source === 'string') return chosenColumn(source) === name;
  if (typeof source !== 'object' || source === null) return false;
  return Object.values(source).some((inner) => namesColumn(inner, name));
}
