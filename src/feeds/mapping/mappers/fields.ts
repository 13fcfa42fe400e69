import {
  NUMBER_FIELDS,
  PROSE_FIELDS,
  TEXT_FIELDS,
  WHOLE_NUMBER_FIELDS,
  WORD_FIELDS,
  type ProfileMap,
} from '../../profile/feed-profile.ts';
import type { WordsKept } from '../fields/words.ts';
import { attributeListMapper, attributesMapper } from './attributes.ts';
import { compileSource } from './cell-source.ts';
import { dateMapper } from './dates.ts';
import { feesMapper } from './fees.ts';
import { featuresMapper, photosMapper } from './lists.ts';
import { displacementMapper, flagMapper, mileageMapper, numberMapper } from './measures.ts';
import type { FieldMapper } from './row-draft.ts';
import { addressMapper, proseMapper, textMapper } from './text.ts';
import { wordMapper, type Translate } from './words.ts';

/**
 * One mapper for each mapped field that stands on its own. Identity, condition, status, year and prices depend
 * on each other and are mapped in map.ts.
 */
export function compileFieldMappers(
  map: ProfileMap,
  translators: Readonly<Record<(typeof WORD_FIELDS)[number], Translate>>,
  wordsKept: WordsKept,
  maxPhotos: number,
  today: string,
): FieldMapper[] {
  const mappers: FieldMapper[] = [];
  for (const field of TEXT_FIELDS) {
    if (map[field] !== undefined) mappers.push(textMapper(field, compileSource(map[field])));
  }
  for (const field of WORD_FIELDS) {
    if (map[field] === undefined) continue;
    mappers.push(wordMapper(field, compileSource(map[field]), translators[field], wordsKept));
  }
  for (const field of WHOLE_NUMBER_FIELDS) {
    if (map[field] !== undefined) mappers.push(numberMapper(field, compileSource(map[field]), Math.round));
  }
  for (const field of NUMBER_FIELDS) {
    if (map[field] !== undefined)
      mappers.push(numberMapper(field, compileSource(map[field]), (value) => value));
  }
  for (const field of PROSE_FIELDS) {
    if (map[field] !== undefined) mappers.push(proseMapper(field, compileSource(map[field])));
  }
  if (map.mileage !== undefined) mappers.push(mileageMapper(map.mileage));
  if (map.displacement_cc !== undefined) mappers.push(displacementMapper(compileSource(map.displacement_cc)));
  if (map.dc_fast_charge !== undefined) mappers.push(flagMapper(compileSource(map.dc_fast_charge)));
  if (map.inventory_date !== undefined) mappers.push(dateMapper(map.inventory_date, today));
  if (map.features !== undefined) mappers.push(featuresMapper(map.features));
  if (map.photos !== undefined) mappers.push(photosMapper(map.photos, maxPhotos));
  if (map.vdp_url !== undefined) mappers.push(addressMapper(compileSource(map.vdp_url)));
  if (map.fees !== undefined) mappers.push(feesMapper(map.fees));
  if (map.other_attributes !== undefined) mappers.push(attributesMapper(map.other_attributes));
  if (map.other_attributes_list !== undefined) mappers.push(attributeListMapper(map.other_attributes_list));
  return mappers;
}
