import type { WORD_FIELDS } from '../../profile/feed-profile.ts';
import type { WordsKept } from '../fields/words.ts';
import type { CellSource } from './cell-source.ts';
import type { FieldMapper } from './row-draft.ts';
import { readLine } from './text.ts';

/** The word of the protocol for a text of the file, undefined when no vocabulary knows it. */
export type Translate = (raw: string) => string | undefined;

/** Texts that say more than one word of the vocabulary and are meant to: `10-Speed Automatic`. */
const SPEAKING_TRANSMISSION = /\b\d{1,2}[ -]?(speed|spd)\b/i;

export function wordMapper(
  field: (typeof WORD_FIELDS)[number],
  source: CellSource,
  translate: Translate,
  wordsKept: WordsKept,
): FieldMapper {
  return (draft) => {
    const text = readLine(draft, source);
    if (text === undefined) return;
    const word = translate(text);
    // Translated to nothing by the profile: the vendor's word for "not said".
    if (word === '') return;
    draft.vehicle[field] = word ?? text;
    if (word === undefined && !(field === 'transmission' && SPEAKING_TRANSMISSION.test(text))) {
      wordsKept.add(field, text);
    }
  };
}
