import type { FeesSource } from '../../profile/feed-profile.ts';
import { feesOfColumns, feesOfList, type Fees } from '../fields/fees.ts';
import { doubtAboutNumber } from '../fields/numbers.ts';
import { compileSource, type CellSource } from './cell-source.ts';
import type { FieldMapper, RowDraft } from './row-draft.ts';

export function feesMapper(spec: FeesSource): FieldMapper {
  const reader = Array.isArray(spec) ? feeColumns(spec) : feeList(spec);
  return (draft) => {
    const fees = reader.read(draft);
    if (fees.kind === 'fees') draft.vehicle.fees = fees.fees;
    else if (fees.kind === 'invalid')
      draft.warn('fees_invalid', reader.source, fees.value, doubtAboutNumber(fees.value));
  };
}

interface FeeReader {
  source: CellSource;
  read(draft: RowDraft): Fees;
}

function feeColumns(spec: readonly { name: string; column: string }[]): FeeReader {
  const columns = spec.map(({ name, column }) => ({ name, source: compileSource(column) }));
  return {
    source: compileSource(spec.map(({ column }) => column)),
    read: ({ cells }) =>
      feesOfColumns(columns.map(({ name, source }) => ({ name, text: source.first(cells) }))),
  };
}

function feeList({ column, separator }: { column: string; separator: string }): FeeReader {
  const source = compileSource(column);
  return { source, read: ({ cells }) => feesOfList(source.first(cells) ?? '', separator) };
}
