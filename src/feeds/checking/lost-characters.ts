import type { StagedVehicle } from '../../model/intake.ts';
import type { Vehicle } from '../../model/vehicle.ts';
import type { CheckedRow, MappedRow, RowWarning } from '../records.ts';

/**
 * A program before us could not read a letter and put U+FFFD in its place, or half of a UTF-16 pair stands alone. Either
 * says nothing and is never published: it is taken out of texts, and an address that had one is no address any more.
 */
const LOST = /\ufffd|%EF%BF%BD|\p{Surrogate}/iu;
const ALL_LOST = /\ufffd|\p{Surrogate}/gu;

/** `check`, with a second try for the rare row that would publish a lost character. */
export function withoutLostCharacters(
  check: (mapped: MappedRow) => CheckedRow,
): (mapped: MappedRow) => CheckedRow {
  return (mapped) => {
    const { warnings } = mapped;
    const told = warnings.length;
    const checked = check(mapped);
    const { stock } = mapped.vehicle;
    const isLost =
      checked.kind === 'accepted' ? isWrittenIn(checked.staged) : stock !== undefined && LOST.test(stock);
    if (!isLost) return checked;
    const { vehicle, fields } = cleaned(mapped.vehicle);
    if (fields.length === 0) return checked;
    const more = fields.map((field): RowWarning => ({ code: 'character_lost', field }));
    return check({ ...mapped, vehicle, warnings: [...warnings.slice(0, told), ...more] });
  };
}

/** Asked of every vehicle, so without a regular expression. JSON writes half a pair as an escape. */
function isWrittenIn({ vehicle, json = JSON.stringify(vehicle) }: StagedVehicle): boolean {
  return json.includes('\ufffd') || json.includes('%EF%BF%BD') || json.includes('\\ud');
}

/** The vehicle without them, and the fields that had some. */
function cleaned(vehicle: Vehicle): { vehicle: Vehicle; fields: string[] } {
  const fields: string[] = [];
  const entries = Object.entries(vehicle).map(([field, value]: [string, unknown]) => {
    const sound = withoutLost(value);
    if (sound !== value) fields.push(field);
    return [field, sound] as const;
  });
  return { vehicle: Object.fromEntries(entries), fields };
}

/** The same value where nothing is lost. Undefined where nothing is left. */
function withoutLost(value: unknown): unknown {
  if (typeof value === 'string') return textWithoutLost(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const sound = value.map(withoutLost);
    const isSame = sound.every((each, index) => each === value[index]);
    return isSame ? value : sound.filter((each) => each !== undefined);
  }
  const entries = Object.entries(value).map(([name, each]): [unknown, unknown] => [
    withoutLost(name),
    withoutLost(each),
  ]);
  const isSame = Object.entries(value).every(
    ([name, each], at) => entries[at]?.[0] === name && entries[at][1] === each,
  );
  if (isSame) return value;
  return Object.fromEntries(entries.filter(([name, each]) => name !== undefined && each !== undefined));
}

function textWithoutLost(text: string): string | undefined {
  if (!LOST.test(text)) return text;
  if (/^https?:/i.test(text)) return undefined;
  const sound = text.replace(ALL_LOST, '').trim();
  return sound === '' ? undefined : sound;
}
