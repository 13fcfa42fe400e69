import { mileageUnit } from '../mapping/fields/mileage.ts';
import { columnsBeside, UNIT_NAMES } from '../mapping/mappers/beside.ts';
import type { FoundColumns } from './columns.ts';
import { dateOrder } from './date-order.ts';
import type { ProposalDraft } from './proposal-draft.ts';
import { usesDecimalComma } from './value-shapes.ts';

/** The odometer with its unit, by a column of units or by the column's own name, and the hour meter beside it. */
export function proposeMileage(draft: ProposalDraft): void {
  const odometer = odometerSource(draft);
  const hours = draft.takeFirst(draft.columns.find(draft.aliases.aside('engine_hours')));
  if (hours === undefined) {
    if (odometer !== undefined) draft.map.mileage = odometer;
    return;
  }
  const hourMeter = { column: hours.name, unit: { constant: 'hours' } };
  draft.map.mileage = odometer === undefined ? hourMeter : [odometer, hourMeter];
}

/** `Odometer (km)`, `Mileage_KM`, `Odometer [mi]`. */
const UNIT_IN_NAME = /[\s_.([-]+(km|kms|kilomet(?:er|re)s?|mi|miles)[)\]]?$/i;

function odometerSource(draft: ProposalDraft): string | { column: string; unit: unknown } | undefined {
  const { columns, aliases } = draft;
  const [inKilometers] = columns.find(aliases.aside('kilometers'));
  const [withUnit] = columns.findWithEnding(
    [...aliases.of('mileage'), ...aliases.aside('kilometers')],
    UNIT_IN_NAME,
  );
  const plain = columns.find(aliases.of('mileage'));
  const found = draft.takeFirst([...plain, ...[withUnit, inKilometers].filter((each) => each !== undefined)]);
  if (found === undefined) return undefined;
  const unit = draft.takeFirst(columns.find(aliases.aside('mileage_unit')));
  if (unit !== undefined) return { column: found.name, unit: unit.name };
  const beside = unitBeside(draft, found);
  if (beside !== undefined) return { column: found.name, unit: beside };
  const isInKilometers = found === inKilometers || (found === withUnit && /k[^[(]*$/i.test(ending(found)));
  if (isInKilometers) return { column: found.name, unit: { constant: 'km' } };
  return found.name;
}

function unitBeside(draft: ProposalDraft, { name }: FoundColumns): string | undefined {
  const { inTree, inTable } = columnsBeside(name, UNIT_NAMES);
  const unit = draft.columns.findNamed([...inTree, ...inTable]);
  if (!unit?.everyValue().every((value) => mileageUnit(value) !== undefined)) return undefined;
  draft.columns.take({ name: unit.name, sketches: [unit] });
  return unit.name;
}

function ending({ name }: FoundColumns): string {
  return UNIT_IN_NAME.exec(name)?.[1] ?? '';
}

export function proposeDate(draft: ProposalDraft): void {
  const found = draft.takeFirst(draft.candidates('inventory_date'));
  const [sketch] = found?.sketches ?? [];
  if (found === undefined || sketch === undefined) return;
  const order = dateOrder(sketch);
  const isUnderstood =
    order.kind === 'plain' || order.kind === 'unknown' || order.format.startsWith('MM/DD/YYYY');
  draft.map.inventory_date = isUnderstood ? found.name : { column: found.name, format: order.format };
  if (order.kind === 'ambiguous') {
    const question = `Read as ${order.format}. If the dates are ${order.other}, write { column: "${found.name}", format: ${order.other} }.`;
    draft.askAbout('inventory_date', sketch, question);
  }
  if (order.kind === 'unknown') {
    const question =
      'How are these dates written? Add a format such as DD.MM.YYYY; what it does not fit is left out.';
    draft.askAbout('inventory_date', sketch, question);
  }
}

/** Whether numbers of the file have a comma before the decimals; told by prices and odometers. */
export function proposeDecimalMark(draft: ProposalDraft): ',' | undefined {
  const found = [
    ...(['list_price', 'msrp', 'mileage'] as const).flatMap((field) => draft.candidates(field)),
    ...draft.columns.find(draft.aliases.aside('kilometers')),
  ];
  if (!usesDecimalComma(found.flatMap(({ sketches }) => sketches))) return undefined;
  draft.ask(
    'decimal_mark',
    'Numbers are read with a comma before the decimals (21.995,50). Amounts count as US dollars: are they?',
  );
  return ',';
}
