import { normaliseWord } from '../../model/vocabulary.ts';
import { statusReader } from '../mapping/mappers/status.ts';
import type { StatusSpec } from '../profile/feed-profile.ts';
import type { FoundColumns } from './columns.ts';
import { takeWords } from './propose-words.ts';
import { isFilled, type ProposalDraft } from './proposal-draft.ts';
import { chooseWords } from './word-columns.ts';

/** Of several columns each says something: a status in words, a mark that the vehicle is sold. */
export function proposeStatus(draft: ProposalDraft): void {
  proposeStatusWords(draft);
  const words = draft.map.status;
  const marks = MARKS.flatMap(({ name, spec, meaning }) =>
    draft.columns.find(draft.aliases.aside(name)).flatMap((found) => {
      const source = { column: found.name, ...spec };
      return proposeMark(draft, found, source, meaning) ? [source] : [];
    }),
  );
  if (marks.length === 0) return;
  draft.map.status = words === undefined ? (marks.length === 1 ? marks[0] : marks) : [words, ...marks];
}

const MARKS = [
  { name: 'says_sold', spec: { if_yes: 'out_of_stock' }, meaning: 'sold where it says anything but no' },
  { name: 'says_pending', spec: { if_yes: 'pending' }, meaning: 'reserved where it says anything but no' },
  {
    name: 'says_intransit',
    spec: { if_yes: 'intransit' },
    meaning: 'in transit where it says anything but no',
  },
  { name: 'says_available', spec: { if_no: 'out_of_stock' }, meaning: 'not for sale where it says no' },
] as const;

/** Whether the mark is proposed. One that would say the same of every vehicle is none, and a person is asked. */
function proposeMark(
  draft: ProposalDraft,
  found: FoundColumns,
  source: StatusSpec,
  meaning: string,
): boolean {
  const [sketch] = found.sketches;
  if (sketch === undefined) return false;
  draft.columns.take(found);
  const read = statusReader(source);
  const speaks = sketch.share((value) => read(value) !== 'available');
  if (sketch.filled === 0 || speaks === 0) return true;
  const rows = Math.max(...draft.columns.open.map(({ filled }) => filled));
  if (speaks === 1 && sketch.filled === rows) {
    const key = 'if_yes' in source ? `if_yes: ${source.if_yes}` : `if_no: ${source.if_no}`;
    draft.askAbout(
      'status',
      sketch,
      `"${found.name}" says the same of every vehicle and is not used. Is it to take vehicles off? Then add { column: "${found.name}", ${key} } to status.`,
    );
    return false;
  }
  draft.askAbout('status', sketch, `By "${found.name}" a vehicle is ${meaning}. Is that right?`);
  return true;
}

function proposeStatusWords(draft: ProposalDraft): void {
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
