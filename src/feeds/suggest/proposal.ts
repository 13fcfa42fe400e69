import type { FeedMode } from '../../model/intake.ts';
import type { ProfileMap } from '../profile/feed-profile.ts';
import type { Vocabularies } from '../profile/vocabulary.ts';
import { aliasKey, type Aliases, type AliasField } from './aliases.ts';
import type { ColumnSketch, SeenValue } from './column-sketch.ts';
import { OfferedColumns, type FoundColumns } from './columns.ts';
import type { FileSketch } from './file-sketch.ts';
import { dayFirstFormat, listFormat } from './value-shapes.ts';
import { chooseFlag, chooseWords, type ChosenWords } from './word-columns.ts';

/** Something that a person has to decide; until then the profile does what is safe. */
export interface Question {
  /** The field of the map, or the setting, that it concerns. */
  field: string;
  column?: string;
  question: string;
  /** The most frequent values of the column. */
  values: SeenValue[];
}

/** The mapping that is proposed for a file. */
export interface Proposal {
  mode: FeedMode;
  action?: string;
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
  'msrp',
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
const FIRST_FILLED: readonly AliasField[] = ['dealer_id', 'list_price', 'body', 'transmission', 'vdp_url'];

/** Of a column of words; of one in which hardly a value comes twice, a few show what it is. */
const VALUES_SHOWN = 12;
const EXAMPLES_SHOWN = 3;

/** Chooses for each field the columns of the file that bear one of its names. */
export function propose(sketch: FileSketch, aliases: Aliases, vocabularies: Vocabularies): Proposal {
  return new Proposer(sketch, aliases, vocabularies).propose();
}

class Proposer {
  readonly #columns: OfferedColumns;
  readonly #aliases: Aliases;
  readonly #vocabularies: Vocabularies;
  readonly #map: Record<string, unknown> = {};
  readonly #questions: Question[] = [];
  readonly #missing: string[] = [];

  constructor(sketch: FileSketch, aliases: Aliases, vocabularies: Vocabularies) {
    this.#columns = new OfferedColumns(sketch.columns);
    this.#aliases = aliases;
    this.#vocabularies = vocabularies;
  }

  propose(): Proposal {
    const action = this.#takeFirst(this.#columns.find(this.#aliases.action))?.name;
    this.#mapCondition();
    this.#mapStatus();
    this.#mapVehicleType();
    for (const field of FIRST_FILLED) this.#mapFirstFilled(field);
    for (const field of ONE_COLUMN) this.#mapOneColumn(field);
    this.#mapVehicleId();
    this.#mapMileage();
    this.#mapDate();
    this.#mapList('features');
    this.#mapList('photos');
    this.#askForMissing();
    this.#askAmbiguous();
    const mode = this.#chooseMode(action);
    return {
      mode,
      ...(action === undefined ? {} : { action }),
      map: this.#map,
      questions: this.#questions,
      neverPublished: this.#columns.secret.map(({ name }) => name),
      unknown: this.#columns.untaken.map(({ name }) => name),
      missing: this.#missing,
    };
  }

  /** A column that is filled before one that is blank in the whole file. */
  #takeFirst(found: readonly FoundColumns[]): FoundColumns | undefined {
    const first = found.find(({ sketches }) => sketches.some(({ filled }) => filled > 0)) ?? found[0];
    if (first !== undefined) this.#columns.take(first);
    return first;
  }

  #mapOneColumn(field: AliasField): void {
    const found = this.#takeFirst(this.#columns.find(this.#aliases.of(field)));
    if (found !== undefined) this.#map[field] = found.name;
  }

  #mapFirstFilled(field: AliasField): void {
    const found = this.#columns.find(this.#aliases.of(field));
    for (const each of found) this.#columns.take(each);
    if (found.length > 0) this.#map[field] = listOrOne(found);
  }

  /** The number of the system may stand for the stock number too. */
  #mapVehicleId(): void {
    const [found] = this.#columns.find(this.#aliases.of('vehicle_id'), 'taken too');
    if (found === undefined) return;
    this.#columns.take(found);
    this.#map.vehicle_id = found.name;
  }

  #mapCondition(): void {
    const certified = this.#columns.find(this.#aliases.certified)[0];
    const source = this.#conditionSource();
    if (source === undefined) {
      this.#map.condition = { constant: 'used' };
      this.#ask(
        'condition',
        'No column says new or used, so every vehicle becomes used. Is none of them new?',
      );
      return;
    }
    if (certified !== undefined) this.#columns.take(certified);
    this.#map.condition =
      certified === undefined && Object.keys(source).length === 1
        ? source.column
        : { ...source, ...(certified === undefined ? {} : { certified: certified.name }) };
  }

  #conditionSource(): { column: string } | undefined {
    const candidates = this.#columns.find(this.#aliases.of('condition'));
    const words = chooseWords('condition', candidates, this.#vocabularies);
    if (words !== undefined) return { column: this.#takeWords('condition', words) };
    const flag = chooseFlag(this.#columns, this.#aliases);
    if (flag !== undefined) {
      this.#columns.take(flag.found);
      this.#askAbout('condition', flag.found, 'Does yes (Y, 1) mean what the name of the column says?');
      return { column: flag.found.name, ...flag.spec };
    }
    // In words that nobody has taught the bridge; a name with several meanings is left to the person.
    const certainName = candidates.find(({ name, sketches }) => {
      return (
        this.#aliases.ambiguity(aliasKey(name)) === undefined && sketches.some(({ filled }) => filled > 0)
      );
    });
    if (certainName === undefined) return undefined;
    this.#columns.take(certainName);
    this.#askAbout('condition', certainName, 'Which of these words mean new, used, cpo? Add them as values.');
    return { column: certainName.name };
  }

  #mapStatus(): void {
    const candidates = this.#columns.find(this.#aliases.of('status'));
    const words = chooseWords('status', candidates, this.#vocabularies);
    if (words !== undefined) {
      this.#map.status = this.#takeWords('status', words);
      return;
    }
    const found = this.#takeFirst(candidates);
    if (found === undefined) return;
    this.#map.status = found.name;
    if (found.sketches.some(({ filled }) => filled > 0)) {
      this.#askAbout(
        'status',
        found,
        'Which of these words mean available, intransit, pending, out_of_stock? Add them as values; rows with ' +
          'other words are refused.',
      );
    }
  }

  #mapVehicleType(): void {
    const candidates = this.#columns.find(this.#aliases.of('vehicle_type'));
    const words = chooseWords('vehicle_type', candidates, this.#vocabularies);
    if (words === undefined) return;
    this.#columns.take(words.found);
    this.#map.vehicle_type = words.found.name;
  }

  #takeWords(field: 'condition' | 'status', { found, unknown }: ChosenWords): string {
    this.#columns.take(found);
    if (unknown.length > 0) {
      const words = unknown.slice(0, VALUES_SHOWN).map((word) => `"${word}"`);
      this.#askAbout(
        field,
        found,
        `What do ${words.join(', ')} mean? Their rows are refused until values says it.`,
      );
    }
    return found.name;
  }

  #mapMileage(): void {
    const found = this.#takeFirst(this.#columns.find(this.#aliases.of('mileage')));
    if (found === undefined) return;
    const unit = this.#takeFirst(this.#columns.find(this.#aliases.mileageUnit));
    this.#map.mileage = unit === undefined ? found.name : { column: found.name, unit: unit.name };
  }

  #mapDate(): void {
    const found = this.#takeFirst(this.#columns.find(this.#aliases.of('inventory_date')));
    if (found === undefined) return;
    const [sketch] = found.sketches;
    const format = sketch === undefined ? undefined : dayFirstFormat(sketch);
    this.#map.inventory_date = format === undefined ? found.name : { column: found.name, format };
  }

  #mapList(field: 'features' | 'photos'): void {
    const lists = this.#columns.find(this.#aliases.of(field)).map((found) => {
      this.#columns.take(found);
      const [sketch] = found.sketches;
      // Addresses are told apart without a separator, whatever stands between them.
      const format = field === 'photos' || sketch === undefined ? {} : listFormat(sketch);
      return Object.keys(format).length === 0 ? found.name : { column: found.name, ...format };
    });
    if (lists.length > 0) this.#map[field] = lists.length === 1 ? lists[0] : lists;
  }

  #askForMissing(): void {
    const needed = ['year', 'make', 'model'];
    if (!['vin', 'stock', 'vehicle_id'].some((field) => field in this.#map)) needed.unshift('vin');
    for (const field of needed.filter((each) => !(each in this.#map))) {
      this.#missing.push(field);
      this.#map[field] = `which column is the ${field}?`;
      this.#ask(field, `No column is known to hold the ${field}; until you name it every file is refused.`);
    }
  }

  #askAmbiguous(): void {
    for (const column of this.#columns.open) {
      const ambiguity = this.#aliases.ambiguity(aliasKey(column.name));
      if (ambiguity === undefined) continue;
      const fields = Object.keys(this.#map).filter((field) => namesColumn(this.#map[field], column.name));
      const use = fields.length === 0 ? 'not used' : `taken as ${fields.join(' and ')}`;
      const question = `Is "${column.name}" ${ambiguity.question} (Now ${use}.)`;
      this.#questions.push({ ...about(column), field: fields[0] ?? ambiguity.field, question });
    }
  }

  /** A delta read as a full file would empty the lot, so a column of actions counts as a sign of one. */
  #chooseMode(action: string | undefined): FeedMode {
    if (action !== undefined) {
      this.#ask(
        'mode',
        `"${action}" looks like a file of changes only (delta). Does the file hold the whole lot (full)?`,
      );
      return 'delta';
    }
    this.#ask('mode', 'Does every file hold the whole lot (full), or only what has changed (delta)?');
    return 'full';
  }

  #ask(field: string, question: string): void {
    this.#questions.push({ field, question, values: [] });
  }

  #askAbout(field: string, { sketches: [column] }: FoundColumns, question: string): void {
    if (column !== undefined) this.#questions.push({ ...about(column), field, question });
  }
}

function about(column: ColumnSketch): { column: string; values: SeenValue[] } {
  const values = column.values();
  const isOfWords = values.length <= VALUES_SHOWN && values.length * 2 <= column.filled;
  return { column: column.name, values: values.slice(0, isOfWords ? VALUES_SHOWN : EXAMPLES_SHOWN) };
}

function listOrOne(found: readonly FoundColumns[]): string | string[] {
  const names = found.map(({ name }) => name);
  return names.length === 1 ? (names[0] ?? '') : names;
}

function namesColumn(source: unknown, name: string): boolean {
  if (source === name) return true;
  if (typeof source !== 'object' || source === null) return false;
  return Object.values(source).some((inner) => namesColumn(inner, name));
}
