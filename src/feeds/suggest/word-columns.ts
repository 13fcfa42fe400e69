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

/** A column of more different texts is one of names or remarks, whatever words are among them. */
const MOST_WORDS = 12;

/**
 * The column of whatever name most of whose texts are words for new and used; words that nobody knows may be among
 * them. N alone may be a no, so one word at least must be another.
 */
export function chooseWordsByValues(
  columns: readonly ColumnSketch[],
  vocabularies: Vocabularies,
): ChosenWords | undefined {
  const isWord = (value: string): boolean => vocabularies.condition.has(normaliseWord(value));
  const speaking = columns.filter(
    (column) =>
      column.share((value) => isWord(value) && !/^n$/i.test(value)) > 0 &&
      column.values().length <= MOST_WORDS,
  );
  const [best] = speaking
    .map((column) => ({ column, share: column.share(isWord) }))
    .filter(({ share }) => share >= SHARE_OF_WORDS)
    .sort((one, other) => other.share - one.share);
  if (best === undefined) return undefined;
  const unknown = best.column.values().filter(({ value }) => !isWord(value));
  return {
    found: { name: best.column.name, sketches: [best.column] },
    unknown: unknown.map(({ value }) => value),
  };
}

const SHARE_OF_WORDS = 0.5;

export interface ChosenFlag {
  found: FoundColumns;
  spec: { new_values: string[]; used_values?: string[] } | { used_values: string[] };
  question: string;
}

const IS_YES_YES = 'Does yes (Y, 1) mean what the name of the column says?';

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
    const says = (word: RegExp): boolean =>
      isNew.sketches[0]?.values().some(({ value }) => word.test(value)) === true;
    const saysUsed = says(/^u$/i);
    if (saysUsed && says(/^n$/i) && !says(/^(?:y|yes|true|t|1)$/i)) {
      const question =
        `"${isNew.name}" holds N and U and no yes. Is N new (then new_values: [N]), or a no (then add N to ` +
        'used_values)? Its rows are refused until that is said.';
      return { found: isNew, spec: { used_values: ['U'] }, question };
    }
    const spec = { new_values: YES, ...(saysUsed ? { used_values: ['U'] } : {}) };
    return { found: isNew, spec, question: IS_YES_YES };
  }
  const isUsed = columns.find(aliases.aside('answers_is_used')).find(answering);
  if (isUsed === undefined) return undefined;
  // Whether N is a no or a new: both mean that it is not used.
  const letters = isUsed.sketches[0]?.values().some(({ value }) => /^u$/i.test(value)) === true ? ['U'] : [];
  return { found: isUsed, spec: { used_values: [...YES, ...letters] }, question: IS_YES_YES };
}
