import type { SaleCondition } from '../../../model/vehicle.ts';
import { compileSource } from './cell-source.ts';
import type { ConditionSpec, ProfileMap } from '../../profile/feed-profile.ts';
import { parseFlag } from '../fields/flag.ts';
import { saysNothing } from '../fields/text.ts';
import { remembering } from '../fields/remembering.ts';
import { flagCondition, withCertifiedMark, type ConditionReader } from '../fields/condition.ts';
import type { Rejection } from '../../records.ts';
import type { RowDraft } from './row-draft.ts';
import type { Translate } from './words.ts';

/** Sets the condition; a text that nobody has taught the bridge refuses the row. */
export function compileCondition(
  source: NonNullable<ProfileMap['condition']>,
  translate: Translate,
): (draft: RowDraft) => Rejection | undefined {
  const spec: ConditionSpec = typeof source === 'object' && !Array.isArray(source) ? source : {};
  const cells = compileSource(source);
  const certified = spec.certified === undefined ? undefined : compileSource(spec.certified);
  const read = remembering(conditionReader(spec, translate));
  const isCertified = remembering(parseFlag);
  return (draft) => {
    const texts = draft.cells.text === undefined ? cells.ofFirst(draft.cells) : undefined;
    const raw = (texts === undefined ? cells.first(draft.cells) : texts[0])?.trim();
    if (raw !== undefined && texts?.some((text) => read(text.trim()) !== read(raw)) === true)
      return draft.rejection('condition_unknown', cells, texts.join(', '));
    const stated = raw === undefined ? undefined : read(raw);
    if (stated === undefined) return draft.rejection('condition_unknown', cells, raw ?? '');
    const mark = certified?.first(draft.cells)?.trim() ?? '';
    if (saysNothing(mark)) {
      draft.vehicle.condition = stated;
      return undefined;
    }
    const { condition, warning } = withCertifiedMark(stated, isCertified(mark));
    if (warning !== undefined) draft.warn(warning, certified, mark);
    draft.vehicle.condition = condition;
    return undefined;
  };
}

function conditionReader(spec: ConditionSpec, translate: Translate): ConditionReader {
  const byWord: ConditionReader = (raw) => saleCondition(translate(raw));
  if (spec.new_values === undefined && spec.used_values === undefined) return byWord;
  const byFlag = flagCondition((spec.new_values ?? []).map(String), (spec.used_values ?? []).map(String));
  return spec.values === undefined ? byFlag : (raw) => byFlag(raw) ?? byWord(raw);
}

function saleCondition(word: string | undefined): SaleCondition | undefined {
  return word === 'new' || word === 'used' || word === 'cpo' ? word : undefined;
}
