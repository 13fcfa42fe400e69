import { VEHICLE_TYPES, type VehicleType } from '../../../model/vehicle.ts';
import type { ProfileMap } from '../../profile/feed-profile.ts';
import type { WordsKept } from '../fields/words.ts';
import { compileEach } from './cell-source.ts';
import type { FieldMapper } from './row-draft.ts';
import { readLine } from './text.ts';
import type { Translate } from './words.ts';

/**
 * A word that no vocabulary knows is "other", not "car": it may be a boat, which needs no VIN. Of several columns the
 * first counts that says more than "other": exports write that for every vehicle and name a sedan as its body.
 */
export function compileVehicleType(
  source: ProfileMap['vehicle_type'],
  translate: Translate,
  wordsKept: WordsKept,
): FieldMapper {
  if (source === undefined) return () => undefined;
  const filledColumns = compileEach(source);
  return (draft) => {
    for (const cells of filledColumns(draft.cells)) {
      const text = readLine(draft, cells);
      if (text === undefined) continue;
      const word = translate(text);
      if (word === undefined) wordsKept.add('vehicle_type', text);
      draft.vehicle.vehicle_type = isVehicleType(word) ? word : 'other';
      if (draft.vehicle.vehicle_type !== 'other') return;
    }
  };
}

function isVehicleType(word: string | undefined): word is VehicleType {
  return VEHICLE_TYPES.some((type) => type === word);
}
