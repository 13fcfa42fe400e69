import { normaliseWord } from '../../model/vocabulary.ts';
import type { ColumnSketch } from './column-sketch.ts';
import type { ProposalDraft } from './proposal-draft.ts';
import { looksLikeVin, looksLikeWholeName, looksLikeYear } from './value-shapes.ts';

/** So many of a column's values must look like the field, and those of no other column. */
const SHARE_THAT_CONVINCES = 0.8;

/**
 * Fields whose values cannot be mistaken (a VIN, a year, a maker's name) and whose column nobody knows by name, or
 * that has none. The person is asked; a price or a stock number is never guessed so.
 */
export function proposeByValues(draft: ProposalDraft): void {
  const { make } = draft.vocabularies;
  const isMake = (value: string): boolean => make.has(normaliseWord(value));
  proposeField(draft, 'vin', looksLikeVin);
  proposeField(draft, 'year', looksLikeYear);
  proposeField(draft, 'make', isMake);
}

function proposeField(
  draft: ProposalDraft,
  field: 'vin' | 'year' | 'make',
  looksRight: (value: string) => boolean,
): void {
  if (draft.has(field)) return;
  const [column, ...others] = draft.columns.untaken.filter(
    (each) => each.share(looksRight) >= SHARE_THAT_CONVINCES,
  );
  if (column === undefined || others.length > 0) return;
  draft.columns.take({ name: column.name, sketches: [column] });
  draft.map[field] = column.name;
  draft.askAbout(field, column, `By its values "${column.name}" is the ${field}. Is it?`);
}

/** Fields that no listing can do without and for which no column was found; told to the person with a hint. */
export function askForMissing(draft: ProposalDraft): string[] {
  const needed = (['year', 'make', 'model'] as const).filter((field) => !draft.has(field));
  const hasIdentity = draft.has('vin') || draft.has('stock') || draft.has('vehicle_id');
  const missing = hasIdentity ? needed : (['vin', ...needed] as const);
  const hint = hintFor(missing, draft);
  for (const field of missing) {
    draft.map[field] = `which column is the ${field}?`;
    draft.ask(
      field,
      `No column is known to hold the ${field}. Write its name in place of the text below; until then every file is ` +
        `refused.${field === missing.at(-1) ? hint : ''}`,
    );
  }
  return [...missing];
}

/** Told at the last of the missing fields, which is the model. */
function hintFor(missing: readonly string[], draft: ProposalDraft): string {
  const whole = draft.columns.untaken.find(
    (column) => column.share(looksLikeWholeName) >= SHARE_THAT_CONVINCES,
  );
  if (whole !== undefined) {
    return ` "${whole.name}" holds year, make and model in one, which cannot be taken apart: have the export give them in columns of their own.`;
  }
  const next = missing.includes('model') ? afterMake(draft) : undefined;
  const [example] = next?.values() ?? [];
  return next === undefined || example === undefined
    ? ''
    : ` Perhaps it is "${next.name}" ("${example.value}" …).`;
}

/** Where exports name no columns, the model nearly always follows the make. */
function afterMake(draft: ProposalDraft): ColumnSketch | undefined {
  const place = draft.columns.open.findIndex(({ name }) => name === draft.map.make);
  const next = place < 0 ? undefined : draft.columns.open[place + 1];
  return next !== undefined && draft.columns.untaken.includes(next) ? next : undefined;
}
