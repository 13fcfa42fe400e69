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
    draft.askAbout('condition', flag.found.sketches[0], flag.question);
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
  draft.askAbout(
    'condition',
    byValues.found.sketches[0],
    `Does "${byValues.found.name}" say whether a vehicle is new?`,
  );
  return { column: takeWords(draft, 'condition', byValues) };
}

function hasOneMeaning(draft: ProposalDraft, { sketches }: FoundColumns): boolean {
  return sketches.every((sketch) => draft.aliases.ambiguity(draft.columns.keyOf(sketch)) === undefined);
}

export function proposeVehicleType(draft: ProposalDraft): void {
  const words = chooseWords('vehicle_type', draft.candidates('vehicle_type'), draft.vocabularies);
  if (words === undefined) return;
  draft.columns.take(words.found);
  draft.map.vehicle_type = words.found.name;
}

export function takeWords(
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
