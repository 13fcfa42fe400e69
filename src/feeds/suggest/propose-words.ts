import { normaliseWord } from '../../model/vocabulary.ts';
import type { FoundColumns } from './columns.ts';
import { isFilled, VALUES_SHOWN, type ProposalDraft } from './proposal-draft.ts';
import { chooseFlag, chooseWords, chooseWordsByValues, type ChosenWords } from './word-columns.ts';

/** New, used or certified: the one field that may never be wrong, so a column is chosen by what stands in it. */
export function proposeCondition(draft: ProposalDraft): void {
  const certified = draft.columns.find(draft.aliases.aside('certified'))[0];
  const source = conditionSource(draft);
  if (source === undefined) {
    draft.map.condition = { constant: 'used' };
    draft.ask('condition', 'No column says new or used, so every vehicle becomes used. Is none of them new?');
    return;
  }
  if (certified !== undefined) draft.columns.take(certified);
  draft.map.condition =
    certified === undefined && Object.keys(source).length === 1
      ? source.column
      : { ...source, ...(certified === undefined ? {} : { certified: certified.name }) };
}

function conditionSource(draft: ProposalDraft): { column: string } | undefined {
  const candidates = draft.candidates('condition');
  const words = chooseWords('condition', candidates, draft.vocabularies);
  if (words !== undefined) return { column: takeWords(draft, 'condition', words) };
  const flag = chooseFlag(draft.columns, draft.aliases);
  if (flag !== undefined) {
    draft.columns.take(flag.found);
    draft.askAbout(
      'condition',
      flag.found.sketches[0],
      'Does yes (Y, 1) mean what the name of the column says?',
    );
    return { column: flag.found.name, ...flag.spec };
  }
  const certainName = candidates.find((found) => isFilled(found) && hasOneMeaning(draft, found));
  if (certainName !== undefined) {
    // In words that nobody has taught the bridge; a name with several meanings is left to the person.
    draft.columns.take(certainName);
    const question = 'Which of these words mean new, used, cpo? Add them as values.';
    draft.askAbout('condition', certainName.sketches[0], question);
    return { column: certainName.name };
  }
  const byValues = chooseWordsByValues(draft.columns.untaken, draft.vocabularies);
  if (byValues === undefined) return undefined;
  draft.columns.take(byValues);
  draft.askAbout('condition', byValues.sketches[0], `Does "${byValues.name}" say whether a vehicle is new?`);
  return { column: byValues.name };
}

function hasOneMeaning(draft: ProposalDraft, { sketches }: FoundColumns): boolean {
  return sketches.every((sketch) => draft.aliases.ambiguity(draft.columns.keyOf(sketch)) === undefined);
}

export function proposeStatus(draft: ProposalDraft): void {
  const candidates = draft.candidates('status');
  const words = chooseWords('status', candidates, draft.vocabularies);
  if (words !== undefined) {
    draft.map.status = takeWords(draft, 'status', words);
    askAboutLetters(draft, words.found);
    return;
  }
  const found = draft.takeFirst(candidates);
  if (found === undefined) return;
  draft.map.status = found.name;
  if (!isFilled(found)) return;
  draft.askAbout(
    'status',
    found.sketches[0],
    'Which of these words mean available, intransit, pending, out_of_stock? Add them as values; rows with other ' +
      'words are refused.',
  );
}

/** Single letters mean one thing in one system and another in the next. */
function askAboutLetters(draft: ProposalDraft, { sketches: [column] }: FoundColumns): void {
  const letters = (column?.values() ?? []).flatMap(({ value }) => {
    const meaning = value.length === 1 ? draft.vocabularies.status.get(normaliseWord(value)) : undefined;
    return meaning === undefined ? [] : [`"${value}" is read as ${meaning}`];
  });
  if (letters.length > 0) draft.askAbout('status', column, `${letters.join(', ')}. Is that right?`);
}

export function proposeVehicleType(draft: ProposalDraft): void {
  const words = chooseWords('vehicle_type', draft.candidates('vehicle_type'), draft.vocabularies);
  if (words === undefined) return;
  draft.columns.take(words.found);
  draft.map.vehicle_type = words.found.name;
}

function takeWords(
  draft: ProposalDraft,
  field: 'condition' | 'status',
  { found, unknown }: ChosenWords,
): string {
  draft.columns.take(found);
  if (unknown.length > 0) {
    const words = unknown.slice(0, VALUES_SHOWN).map((word) => `"${word}"`);
    const question = `What do ${words.join(', ')} mean? Their rows are refused until values says it.`;
    draft.askAbout(field, found.sketches[0], question);
  }
  return found.name;
}
