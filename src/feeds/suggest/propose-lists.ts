import type { FoundColumns } from './columns.ts';
import { isFilled, type ProposalDraft } from './proposal-draft.ts';
import { listFormat, looksLikePhoto } from './value-shapes.ts';

/** Equipment: lists in one cell, or numbered columns of one item each. */
export function proposeFeatures(draft: ProposalDraft): void {
  const aliases = draft.aliases.of('features');
  const lists = draft.columns.find(aliases).map((found) => {
    draft.columns.take(found);
    const [sketch] = found.sketches;
    const format = sketch === undefined ? {} : listFormat(sketch);
    return Object.keys(format).length === 0 ? found.name : { column: found.name, ...format };
  });
  const numbered = draft.columns.findNumbered(aliases).map((found) => {
    draft.columns.take(found);
    return found.name;
  });
  setList(draft, 'features', [...lists, ...numbered]);
}

/** Addresses are told apart without a separator, whatever stands between them. */
export function proposePhotos(draft: ProposalDraft): void {
  const aliases = draft.aliases.of('photos');
  const named = draft.columns.find(aliases);
  for (const found of named) draft.columns.take(found);
  const numbered = draft.columns.findNumbered(aliases);
  for (const found of numbered) draft.columns.take(found);
  const known = [...named, ...numbered];
  const found = known.some(isFilled) ? known : [...known, ...photosByValues(draft)];
  for (const each of found) draft.columns.take(each);
  setList(
    draft,
    'photos',
    found.map(({ name }) => name),
  );
}

/** Columns that nobody knows by name but in which nothing stands except addresses of pictures. */
function photosByValues(draft: ProposalDraft): FoundColumns[] {
  return draft.columns.untaken
    .filter((column) => column.filled > 0 && column.share(looksLikePhoto) > 0.9)
    .map((column) => {
      draft.askAbout('photos', column, `Are the addresses in "${column.name}" photos of the vehicle?`);
      return { name: column.name, sketches: [column] };
    });
}

function setList(draft: ProposalDraft, field: 'features' | 'photos', lists: readonly unknown[]): void {
  if (lists.length > 0) draft.map[field] = lists.length === 1 ? lists[0] : lists;
}
