import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { failure, success, type Result } from '../../model/problem.ts';
import type { LeadDocument } from '../../model/lead.ts';
import { readJson, reasonOf } from '../adapter-folder.ts';
import type { AttemptOutcome } from '../crm-adapter.ts';
import { adapterProblem } from '../problems.ts';

/** A lead with the delivery that must come of it, and answers with the verdicts that they must get. */
export interface CrmFixture {
  name: string;
  lead: LeadDocument;
  options: Record<string, unknown>;
  delivery: unknown;
  answers: { outcome: AttemptOutcome; verdict?: unknown }[];
}

/** A file's text with the rows that must come of it. */
export interface ReaderFixture {
  name: string;
  text: string;
  options: Record<string, unknown>;
  rows: unknown;
}

const LEAD = '.lead.json';
const TEXT = '.txt';
const MAX_TEXT_CHARACTERS = 1_000_000;

/** `<case>.lead.json`, `<case>.delivery.json` and, where needed, `<case>.options.json` and `<case>.answers.json`. */
export async function readCrmFixtures(folder: string): Promise<Result<CrmFixture>[]> {
  return eachCase(folder, LEAD, async (name, files) => {
    const lead = await readJson(folder, `${name}${LEAD}`);
    const delivery = await readJson(folder, `${name}.delivery.json`);
    const options = await optionalJson(folder, `${name}.options.json`, files, {});
    const answers = await optionalJson(folder, `${name}.answers.json`, files, []);
    if (!lead.ok) return lead;
    if (!delivery.ok) return delivery;
    if (!options.ok) return options;
    if (!answers.ok) return answers;
    if (!isAnswers(answers.value)) {
      const reason = 'its answers must be a list of objects with outcome and verdict';
      return failure(
        adapterProblem('ADAPTER_FIXTURE_INVALID', folder, { reason: `fixture ${name}: ${reason}` }),
      );
    }
    return success({
      name,
      lead: lead.value as LeadDocument,
      options: options.value as Record<string, unknown>,
      delivery: delivery.value,
      answers: answers.value,
    });
  });
}

/** `<case>.txt`, `<case>.rows.json` and, where needed, `<case>.options.json`. */
export async function readReaderFixtures(folder: string): Promise<Result<ReaderFixture>[]> {
  return eachCase(folder, TEXT, async (name, files) => {
    const rows = await readJson(folder, `${name}.rows.json`);
    const options = await optionalJson(folder, `${name}.options.json`, files, {});
    if (!rows.ok) return rows;
    if (!options.ok) return options;
    try {
      const text = await readFile(join(folder, `${name}${TEXT}`), 'utf8');
      if (text.length > MAX_TEXT_CHARACTERS)
        throw new Error(`it has more than ${MAX_TEXT_CHARACTERS} characters`);
      return success({ name, text, options: options.value as Record<string, unknown>, rows: rows.value });
    } catch (error) {
      const reason = `fixture ${name}: ${reasonOf(error)}`;
      return failure(adapterProblem('ADAPTER_FIXTURE_INVALID', folder, { reason }));
    }
  });
}

async function eachCase<T>(
  folder: string,
  ending: string,
  read: (name: string, files: readonly string[]) => Promise<Result<T>>,
): Promise<Result<T>[]> {
  const files = await readdir(folder).catch(() => []);
  const names = files.filter((file) => file.endsWith(ending)).map((file) => file.slice(0, -ending.length));
  if (names.length === 0) {
    const reason = `there is no fixture: no file *${ending}`;
    return [failure(adapterProblem('ADAPTER_FIXTURE_INVALID', folder, { reason }))];
  }
  const results: Result<T>[] = [];
  for (const name of names.sort()) results.push(await read(name, files));
  return results;
}

async function optionalJson(
  folder: string,
  file: string,
  files: readonly string[],
  otherwise: unknown,
): Promise<Result<unknown>> {
  return files.includes(file) ? readJson(folder, file) : success(otherwise);
}

function isAnswers(value: unknown): value is CrmFixture['answers'] {
  return (
    Array.isArray(value) &&
    value.every((entry: unknown) => typeof entry === 'object' && entry !== null && 'outcome' in entry)
  );
}
