import { normaliseWord, type Vocabularies } from '../../model/vocabulary.ts';
import { parseFlag } from '../mapping/fields/flag.ts';
import type { Aliases } from './aliases.ts';
import type { ColumnSketch } from './column-sketch.ts';
import type { FoundColumns, OfferedColumns } from './columns.ts';

/** A column whose words a vocabulary has to know, chosen by what stands in it. */
export interface ChosenWords {
  found: FoundColumns;
  /** Words that no vocabulary knows: their rows would be refused. */
  unknown: string[];
}

type WordField = 'condition' | 'status' | 'vehicle_type';

/**
 * Less than that known, and the column means something else. One single word for new or used is enough to ask a
 * column: rows with other words are refused, while without it a new car might pass as used.
 */
const SHARE_THAT_CONVINCES: Readonly<Record<WordField, number>> = {
  condition: Number.MIN_VALUE,
  status: 0.5,
  vehicle_type: 0.5,
};

/** The column most of whose values are words of the field; of equals the one preferred by the table. */
export function chooseWords(
  field: WordField,
  found: readonly FoundColumns[],
  vocabularies: Vocabularies,
): ChosenWords | undefined {
  const isWord = (value: string): boolean => vocabularies[field].has(normaliseWord(value));
  const judged = found.flatMap((each) => {
    const [sketch] = each.sketches;
    return sketch === undefined ? [] : [{ found: each, sketch, share: sketch.share(isWord) }];
  });
  const best = judged.reduce<(typeof judged)[number] | undefined>(
    (leader, each) => (leader === undefined || each.share > leader.share ? each : leader),
    undefined,
  );
  if (best === undefined || best.share < SHARE_THAT_CONVINCES[field]) return undefined;
  const unknown = best.sketch.values().filter(({ value }) => !isWord(value));
  return { found: best.found, unknown: unknown.map(({ value }) => value) };
}

/**
 * The first column of whatever name in which nothing stands but words for new and used. N alone may be a no, so
 * one word at least must be another.
 */
export function chooseWordsByValues(
  columns: readonly ColumnSketch[],
  vocabularies: Vocabularies,
): FoundColumns | undefined {
  const isWord = (value: string): boolean => vocabularies.condition.has(normaliseWord(value));
  const found = columns.find(
    (column) => column.share(isWord) === 1 && column.share((value) => !/^n$/i.test(value)) > 0,
  );
  return found === undefined ? undefined : { name: found.name, sketches: [found] };
}

export interface ChosenFlag {
  found: FoundColumns;
  spec: { new_values: string[]; used_values?: string[] } | { used_values: string[] };
}

const YES = ['Y', 'Yes', 'True', '1'];

/**
 * The column that answers "is it new?" or "is it used?" with yes and no. Some exports write U where they mean "no,
 * used".
 */
export function chooseFlag(columns: OfferedColumns, aliases: Aliases): ChosenFlag | undefined {
  const isAnswer = (value: string): boolean => parseFlag(value) !== undefined || /^u$/i.test(value);
  const answering = (found: FoundColumns): boolean => (found.sketches[0]?.share(isAnswer) ?? 0) > 0;
  const isNew = columns.find(aliases.aside('answers_is_new')).find(answering);
  if (isNew !== undefined) {
    const saysUsed = isNew.sketches[0]?.values().some(({ value }) => /^u$/i.test(value)) === true;
    return { found: isNew, spec: { new_values: YES, ...(saysUsed ? { used_values: ['U'] } : {}) } };
  }
  const isUsed = columns.find(aliases.aside('answers_is_used')).find(answering);
  return isUsed === undefined ? undefined : { found: isUsed, spec: { used_values: YES } };
}
