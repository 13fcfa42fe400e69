import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { compileWhenUsed, joinPointer } from '../../documents/json-schema.ts';
import { parseYaml, type YamlDocument } from '../../documents/yaml-document.ts';
import { readSettingsFile } from '../../documents/settings-file.ts';
import { failure, success, type Problem, type Result } from '../../model/problem.ts';
import { LISTING_STATUSES, SALE_CONDITIONS, VEHICLE_TYPES } from '../../model/vehicle.ts';
import {
  normaliseWord,
  VOCABULARY_FIELDS,
  type Vocabularies,
  type VocabularyField,
} from '../../model/vocabulary.ts';
import vocabularySchema from '../../../schemas/vocabulary.schema.json' with { type: 'json' };
import { faultProblem, profileProblem } from './profile-problems.ts';

/** In the status vocabulary, what sold and wholesaled vehicles are: such rows never reach the lot. */
export const OUT_OF_STOCK = 'out_of_stock';

/** The only words that a translation may give, for the fields where the protocol lists them. */
export const ALLOWED_WORDS: Readonly<Partial<Record<VocabularyField, readonly string[]>>> = {
  condition: SALE_CONDITIONS,
  status: [...LISTING_STATUSES, OUT_OF_STOCK],
  vehicle_type: VEHICLE_TYPES,
};

interface VocabularyFile {
  field: VocabularyField;
  words: Record<string, string[] | null>;
}

const checkVocabulary = compileWhenUsed(() => vocabularySchema);

/** Reads every `*.yaml` of the folder (config/vocabulary). Tells every fault of every file at once. */
export async function loadVocabularies(folder: string): Promise<Result<Vocabularies>> {
  const tables = new Map<VocabularyField, Map<string, string>>();
  const problems: Problem[] = [];
  const names = (await readdir(folder)).filter((name) => name.endsWith('.yaml')).sort();
  for (const name of names) problems.push(...(await readVocabulary(path.join(folder, name), tables)));
  if (problems.length > 0) return failure(...problems);
  const entries = VOCABULARY_FIELDS.map((field) => [field, tables.get(field) ?? new Map<string, string>()]);
  return success(Object.fromEntries(entries) as Vocabularies);
}

async function readVocabulary(
  file: string,
  tables: Map<VocabularyField, Map<string, string>>,
): Promise<readonly Problem[]> {
  const text = await readSettingsFile(file);
  if (!text.ok) return text.problems;
  const { document, problems } = parseYaml(text.value, path.basename(file));
  if (document === undefined || problems.length > 0) return problems;
  const faults = checkVocabulary(document.value);
  if (faults.length > 0) return faults.map((fault) => faultProblem(fault, document));
  const { field, words } = document.value as VocabularyFile;
  const table = tables.get(field) ?? new Map<string, string>();
  tables.set(field, table);
  return Object.entries(words).flatMap(([word, synonyms]) =>
    addWord(field, table, word, synonyms ?? [], document),
  );
}

function addWord(
  field: VocabularyField,
  table: Map<string, string>,
  word: string,
  synonyms: readonly string[],
  document: YamlDocument,
): Problem[] {
  const pointer = joinPointer('/words', word);
  const allowed = ALLOWED_WORDS[field];
  if (allowed?.includes(word) === false) {
    return [
      profileProblem('FEED_WORD_NOT_ALLOWED', document.place(pointer), { word, allowed: allowed.join(', ') }),
    ];
  }
  return [word, ...synonyms].flatMap((synonym, index) => {
    const key = normaliseWord(synonym);
    const other = table.get(key);
    table.set(key, other ?? word);
    if (other === undefined || other === word) return [];
    const place = document.place(index === 0 ? pointer : joinPointer(pointer, index - 1));
    return [profileProblem('FEED_WORD_TWICE', place, { word: synonym, other })];
  });
}
