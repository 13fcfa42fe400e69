import type { ProfileMap } from '../profile/feed-profile.ts';
import type { Vocabularies } from '../../model/vocabulary.ts';
import type { AliasField, Aliases } from './aliases.ts';
import type { ColumnSketch, SeenValue } from './column-sketch.ts';
import { OfferedColumns, type FoundColumns } from './columns.ts';

/** Something that a person has to decide; until then the profile does what is safe. */
export interface Question {
  /** The field of the map, or the setting, that it concerns. */
  field: string;
  column?: string;
  question: string;
  /** The most frequent values of the column. */
  values: SeenValue[];
}

/** Of a column of words; of one in which hardly a value comes twice, a few show what it is. */
export const VALUES_SHOWN = 12;
const EXAMPLES_SHOWN = 3;

/** A proposal in the making: which columns are still on offer, what is mapped, what a person must be asked. */
export class ProposalDraft {
  readonly columns: OfferedColumns;
  readonly aliases: Aliases;
  readonly vocabularies: Vocabularies;
  readonly map: Record<string, unknown> = {};
  readonly questions: Question[] = [];
  /** Amounts that stay inside, of an element that holds others too: `Price[@kind=invoice]`. */
  readonly secretChoices: string[] = [];
  /** Columns whose values no question may quote, since some of them may be cost. */
  readonly withheld = new Set<ColumnSketch>();

  constructor(columns: readonly ColumnSketch[], aliases: Aliases, vocabularies: Vocabularies) {
    this.columns = new OfferedColumns(columns, aliases);
    this.aliases = aliases;
    this.vocabularies = vocabularies;
  }

  /** All columns that bear a name of the field and are not taken. */
  candidates(field: AliasField): FoundColumns[] {
    return this.columns.find(this.aliases.of(field));
  }

  /** A column that is filled before one that is blank in the whole file. */
  takeFirst(found: readonly FoundColumns[]): FoundColumns | undefined {
    const first = found.find(isFilled) ?? found[0];
    if (first !== undefined) this.columns.take(first);
    return first;
  }

  has(field: keyof ProfileMap): boolean {
    return field in this.map;
  }

  ask(field: string, question: string): void {
    this.questions.push({ field, question, values: [] });
  }

  askAbout(field: string, column: ColumnSketch | undefined, question: string): void {
    if (column === undefined) return;
    const values = this.withheld.has(column) ? [] : column.values();
    const isOfWords = values.length <= VALUES_SHOWN && values.length * 2 <= column.filled;
    const shown = values.slice(0, isOfWords ? VALUES_SHOWN : EXAMPLES_SHOWN);
    this.questions.push({ field, column: column.name, question, values: shown });
  }
}

export function isFilled({ sketches }: FoundColumns): boolean {
  return sketches.some(({ filled }) => filled > 0);
}
