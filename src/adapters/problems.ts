import type { Problem } from '../model/problem.ts';
import { problemOf, type ProblemFacts } from '../model/problem-text.ts';

/** Every fault an adapter folder can have: code, what happened, what to do. `{name}` is filled with the facts. */
const ADAPTER_PROBLEMS = {
  ADAPTER_NOT_FOUND: {
    message: 'no adapter {name}{suggestion}',
    remedy: 'Adapters are folders in adapters/ of the program and of the data folder.',
  },
  ADAPTER_TWICE: {
    message: 'two folders hold an adapter {name}: {folders}',
    remedy: 'Rename one of them.',
  },
  ADAPTER_OUTSIDE_FOLDER: {
    message: '{file} leads out of its folder',
    remedy: 'Put the files themselves there; links to other places are not followed.',
  },
  ADAPTER_FILE_MISSING: {
    message: '{file} is missing',
    remedy: 'An adapter folder needs adapter.json, options.schema.json and adapter.ts or adapter.js.',
  },
  ADAPTER_FILE_UNREADABLE: {
    message: '{file} can not be read: {reason}',
    remedy: 'Check the file and the rights of the user the bridge runs as.',
  },
  ADAPTER_MANIFEST_INVALID: {
    message: 'adapter.json: {reason}',
    remedy: 'schemas/adapter.schema.json says what belongs into it.',
  },
  ADAPTER_OPTIONS_SCHEMA_INVALID: {
    message: 'options.schema.json is no usable JSON Schema: {reason}',
    remedy: 'It must be a JSON Schema (draft 2020-12) of type object.',
  },
  ADAPTER_IMPORT_FAILED: {
    message: '{file} does not load: {reason}',
    remedy: 'Mend the adapter, or ask the vendor that wrote it.',
  },
  ADAPTER_CONTRACT_BROKEN: {
    message: '{file}: {reason}',
    remedy: 'The adapter must keep the contract in src/adapters.',
  },
  ADAPTER_FIXTURE_INVALID: {
    message: 'fixture {fixture}: {reason}',
    remedy: 'Mend the files in fixtures/.',
  },
  ADAPTER_FIXTURE_DIFFERS: {
    message: 'fixture {fixture}: build gives another delivery than expected at {difference}',
    remedy: 'Mend the adapter, or the expected delivery if the change is wanted.',
  },
} as const;

type AdapterProblemCode = keyof typeof ADAPTER_PROBLEMS;

export function adapterProblem(
  code: AdapterProblemCode,
  file: string,
  facts: ProblemFacts = {},
  path?: string,
): Problem {
  return problemOf(code, ADAPTER_PROBLEMS[code], facts, { file, ...(path === undefined ? {} : { path }) });
}
