import type { Cells } from '../../../adapters/feed-reader.ts';
import { columnsOf, type ListSource, type ListSpec } from '../../profile/feed-profile.ts';
import { addFeatures } from '../fields/features.ts';
import { parsePhotos } from '../fields/photos.ts';
import { remembering } from '../fields/remembering.ts';
import { lineText } from '../fields/text.ts';
import { compileSource, type CellSource } from './cell-source.ts';
import { compileWithoutCost } from './marked-texts.ts';
import type { FieldMapper } from './row-draft.ts';

interface CompiledList {
  source: CellSource;
  spec: ListSpec;
  /** What is filled, without what is marked as cost. */
  texts: (cells: Cells) => readonly string[];
}

export function compileLists(list: ListSource): CompiledList[] {
  return (Array.isArray(list) ? list : [list]).map((item) => ({
    source: compileSource(item),
    spec: typeof item === 'string' ? {} : item,
    texts: compileTexts(item),
  }));
}

function compileTexts(item: string | ListSpec): CompiledList['texts'] {
  const whole = compileSource(item);
  const columns = columnsOf(item);
  if (columns.length === 0) return (cells) => whole.all(cells);
  const single = columns.map((column) => ({
    source: compileSource(column),
    withoutCost: compileWithoutCost(column),
  }));
  return (cells) => {
    const found = single.flatMap(({ source, withoutCost }) => withoutCost(source.all(cells), cells) ?? []);
    return found.length === 0 && single.every(({ source }) => source.first(cells) === undefined)
      ? whole.all(cells)
      : found;
  };
}

export function featuresMapper(list: ListSource): FieldMapper {
  const lists = compileLists(list);
  const itemText = remembering(lineText);
  return (draft) => {
    const found = new Map<string, string>();
    for (const { texts, spec } of lists) {
      for (const cell of texts(draft.cells)) addFeatures(found, cell, spec, itemText);
    }
    if (found.size > 0) draft.vehicle.features = [...found.values()];
  };
}

export function photosMapper(list: ListSource, mostPhotos: number): FieldMapper {
  const lists = compileLists(list);
  const separator = lists.find(({ spec }) => spec.separator !== undefined)?.spec.separator;
  return (draft) => {
    const cells = lists.flatMap(({ source }) => source.all(draft.cells));
    const { photos, dropped, beyondLimit } = parsePhotos(cells, separator, mostPhotos);
    if (photos.length > 0) draft.vehicle.photos = photos;
    else if (dropped > 0) draft.warn('photo_invalid', lists[0]?.source, cells[0]);
    if (beyondLimit > 0)
      draft.warn('too_many_photos', lists[0]?.source, `${mostPhotos + beyondLimit} photos`);
  };
}
