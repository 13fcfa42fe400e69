import { joinPointer } from '../../documents/json-schema.ts';
import type { YamlDocument } from '../../documents/yaml-document.ts';
import { normaliseColumn, normaliseColumnPath } from '../../model/column.ts';
import type { Problem } from '../../model/problem.ts';
import { compileDateFormat } from '../mapping/fields/date.ts';
import { mileageUnit } from '../mapping/fields/mileage.ts';
import { isNeverPublished } from './never-published.ts';
import { profileProblem } from './profile-problems.ts';
import { columnsOf, type ConditionSpec, type FeedProfile, type WrittenProfile } from './feed-profile.ts';
import { VOCABULARY_FIELDS, type VocabularyField } from '../../model/vocabulary.ts';
import { ALLOWED_WORDS } from './vocabulary.ts';

/** What the schema cannot say about one file, whether it is complete or extends another. */
export function checkWrittenProfile(written: WrittenProfile, document: YamlDocument): Problem[] {
  return [
    ...checkColumns(written, document),
    ...VOCABULARY_FIELDS.flatMap((field) => checkWords(written, field, document)),
    ...checkConditionFlag(written, document),
    ...checkDateFormat(written, document),
    ...checkUnit(written, document),
    ...checkFees(written, document),
  ].sort(byPlace);
}

function byPlace({ where: first }: Problem, { where: second }: Problem): number {
  return (first?.line ?? 0) - (second?.line ?? 0) || (first?.column ?? 0) - (second?.column ?? 0);
}

/** What must hold for the profile as a whole. */
export function checkProfile(profile: FeedProfile, hasReader: boolean, document: YamlDocument): Problem[] {
  const { map } = profile;
  const problems: Problem[] = [];
  const mapPlace = document.place('/map');
  if (!hasReader) problems.push(profileProblem('FEED_PROFILE_READER_MISSING', document.place('/reader')));
  const hasIdentity = map.vin !== undefined || map.stock !== undefined;
  if (!hasIdentity && (profile.companion || map.vehicle_id === undefined)) {
    problems.push(profileProblem('FEED_IDENTITY_NOT_MAPPED', mapPlace));
  }
  for (const field of profile.companion ? [] : (['year', 'make', 'model', 'condition'] as const)) {
    if (map[field] === undefined) problems.push(profileProblem('FEED_FIELD_NOT_MAPPED', mapPlace, { field }));
  }
  for (const field of profile.required.flat()) {
    if (field in map) continue;
    if (['year', 'make', 'model', 'condition'].includes(field)) continue;
    problems.push(profileProblem('FEED_REQUIRED_NOT_MAPPED', document.place('/required'), { field }));
  }
  if (profile.gather !== undefined && !profile.companion) {
    problems.push(profileProblem('FEED_GATHER_NOT_COMPANION', document.place('/gather')));
  }
  if (profile.price_bounds.lowest > profile.price_bounds.highest) {
    problems.push(profileProblem('FEED_PRICE_BOUNDS', document.place('/price_bounds')));
  }
  return [...problems, ...checkExclusions(profile, document)];
}

interface NamedColumn {
  column: string;
  pointer: string;
}

/** Every column that a map reads, and where it is named. */
function* mappedColumns(map: NonNullable<WrittenProfile['map']>): Generator<NamedColumn> {
  const { other_attributes: attributes, ...fields } = map;
  for (const [field, source] of Object.entries(fields))
    yield* namedColumns(source, joinPointer('/map', field));
  for (const [name, source] of Object.entries(attributes ?? {})) {
    yield* namedColumns(source, joinPointer('/map/other_attributes', name));
  }
}

const KEYS_THAT_NAME_COLUMNS = ['column', 'path', 'certified', 'unit', 'currency', 'during', 'from', 'until'];

function* namedColumns(source: unknown, pointer: string): Generator<NamedColumn> {
  if (typeof source === 'string') yield { column: source, pointer };
  else if (Array.isArray(source)) {
    for (const [index, item] of source.entries()) yield* namedColumns(item, joinPointer(pointer, index));
  } else if (source !== null && typeof source === 'object') {
    for (const [key, inner] of Object.entries(source)) {
      const names =
        KEYS_THAT_NAME_COLUMNS.includes(key) && (typeof inner === 'string' || Array.isArray(inner));
      if (names) yield* namedColumns(inner, joinPointer(pointer, key));
    }
  }
}

function checkColumns(written: WrittenProfile, document: YamlDocument): Problem[] {
  return [...mappedColumns(written.map ?? {})]
    .filter(({ column }) => isNeverPublished(column))
    .map(({ column, pointer }) =>
      profileProblem('FEED_COLUMN_NEVER_PUBLISHED', document.place(pointer), { column }),
    );
}

function checkExclusions(profile: FeedProfile, document: YamlDocument): Problem[] {
  const excluded = new Set(profile.never_publish.map(normaliseColumnPath));
  return [...mappedColumns(profile.map)]
    .filter(({ column }) => excluded.has(normaliseColumnPath(column)))
    .map(({ column, pointer }) =>
      profileProblem('FEED_COLUMN_EXCLUDED', document.place(pointer), { column }),
    );
}

function checkWords(written: WrittenProfile, field: VocabularyField, document: YamlDocument): Problem[] {
  const allowed = ALLOWED_WORDS[field];
  if (allowed === undefined) return [];
  const source = written.map?.[field];
  const spec = typeof source === 'object' && source !== null && !Array.isArray(source) ? source : {};
  const problems = [
    { words: spec.values ?? {}, pointer: joinPointer('/map', field, 'values') },
    { words: written.vocabulary?.[field] ?? {}, pointer: joinPointer('/vocabulary', field) },
  ].flatMap(({ words, pointer }) =>
    Object.entries(words)
      .filter(([, word]) => !allowed.includes(String(word)))
      .map(([text, word]) =>
        profileProblem('FEED_WORD_NOT_ALLOWED', document.place(joinPointer(pointer, text)), {
          word: String(word),
          allowed: allowed.join(', '),
        }),
      ),
  );
  if (spec.constant !== undefined && !allowed.includes(String(spec.constant))) {
    const place = document.place(joinPointer('/map', field, 'constant'));
    problems.push(profileProblem('FEED_CONSTANT_INVALID', place, { value: String(spec.constant), field }));
  }
  return problems;
}

/** `Is New` says yes or no, which a general vocabulary would misread. */
const YES_NO_COLUMNS = new Set(['isnew', 'new', 'newflag', 'isused', 'used', 'usedflag', 'ispreowned']);

function checkConditionFlag(written: WrittenProfile, document: YamlDocument): Problem[] {
  const source = written.map?.condition;
  if (source === undefined || source === null) return [];
  const spec: ConditionSpec = typeof source === 'object' && !Array.isArray(source) ? source : {};
  if (spec.new_values !== undefined || spec.used_values !== undefined || spec.values !== undefined) return [];
  const place = document.place('/map/condition');
  return columnsOf(source)
    .filter((column) => YES_NO_COLUMNS.has(normaliseColumn(column)))
    .map((column) => profileProblem('FEED_CONDITION_IS_FLAG', place, { column }));
}

function checkDateFormat(written: WrittenProfile, document: YamlDocument): Problem[] {
  return (['inventory_date', 'expires', 'sale_price'] as const).flatMap((field) => {
    const source = written.map?.[field];
    if (source === undefined || source === null || typeof source === 'string' || Array.isArray(source))
      return [];
    const { format } = source;
    if (format === undefined || compileDateFormat(format) !== undefined) return [];
    return [profileProblem('FEED_DATE_FORMAT', document.place(`/map/${field}/format`), { format })];
  });
}

function checkUnit(written: WrittenProfile, document: YamlDocument): Problem[] {
  const source = written.map?.mileage ?? [];
  const readings = Array.isArray(source)
    ? source.map((reading, index) => ({ reading, pointer: joinPointer('/map/mileage', index) }))
    : [{ reading: source, pointer: '/map/mileage' }];
  return readings.flatMap(({ reading, pointer }) => {
    const unit = typeof reading === 'string' ? undefined : reading.unit;
    if (typeof unit !== 'object' || Array.isArray(unit) || mileageUnit(unit.constant) !== undefined)
      return [];
    const place = document.place(joinPointer(pointer, 'unit', 'constant'));
    return [profileProblem('FEED_UNIT_UNKNOWN', place, { unit: unit.constant })];
  });
}

function checkFees(written: WrittenProfile, document: YamlDocument): Problem[] {
  const fees = written.map?.fees;
  if (!Array.isArray(fees)) return [];
  return fees.flatMap(({ name }, index) => {
    const first = fees.findIndex((fee) => fee.name.toLowerCase() === name.toLowerCase());
    return first === index
      ? []
      : [profileProblem('FEED_FEE_TWICE', document.place(joinPointer('/map/fees', index)), { name })];
  });
}
