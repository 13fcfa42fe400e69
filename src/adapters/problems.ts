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
  ADAPTER_NEW_REFUSED: {
    message: 'no adapter is written: {reason}',
    remedy: 'Choose another name or folder; what is there is never written over.',
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
    message: '{reason}',
    remedy: 'Mend the adapter, or the files in fixtures/ if the change is wanted.',
  },
  ADAPTER_OPTIONS_UNCLEAR: {
    message: '{reason}',
    remedy: 'The options schema is the help for the person who writes the settings: see docs/adapters.md.',
  },
  ADAPTER_LEAD_BREAKS: {
    message: '{reason}',
    remedy:
      'Buyers write anything into every text: escape it for the form it goes into, cut it, but never fail.',
  },
  ADAPTER_LEAD_DECIDES: {
    message: '{reason}',
    remedy: 'Hosts, recipients and folders come from the options or the code only.',
  },
  ADAPTER_VERDICT_WRONG: {
    message: '{reason}',
    remedy:
      'delivered: the CRM has it. rejected: it will never take it. retry: it certainly has it not yet. uncertain: it may have it.',
  },
  ADAPTER_SHOWS_SECRET: {
    message: '{reason}',
    remedy: 'Leave passwords and tokens out of texts that people see or that are kept.',
  },
  ADAPTER_CHANGES_INPUT: {
    message: '{reason}',
    remedy: 'Copy what you change: the same objects are used again for the next attempt.',
  },
  ADAPTER_ROWS_WRONG: {
    message: '{reason}',
    remedy:
      'Count data rows from 1, keep every value as the text it was, and name columns by normaliseColumn.',
  },
  ADAPTER_CHUNKS_MATTER: {
    message: '{reason}',
    remedy: 'Chunks end anywhere: keep what is not finished for the next one.',
  },
  ADAPTER_FILE_BREAKS: {
    message: '{reason}',
    remedy: 'Tell a file that is none with context.refuse, and a broken row with its rejection; never throw.',
  },
  ADAPTER_NOT_REPEATABLE: {
    message: '{reason}',
    remedy:
      'Use only what the call is given: no memory between calls, no clock, no time zone of the machine.',
  },
  ADAPTER_IMPURE: {
    message: '{reason}',
    remedy: 'The bridge does all input and output: an adapter only turns what it is given into an answer.',
  },
  ADAPTER_TOO_SLOW: {
    message: '{reason}',
    remedy: 'Look for loops without an end and for regular expressions that try too much.',
  },
} as const;

export type AdapterProblemCode = keyof typeof ADAPTER_PROBLEMS;

export function adapterProblem(
  code: AdapterProblemCode,
  file: string,
  facts: ProblemFacts = {},
  path?: string,
): Problem {
  return problemOf(code, ADAPTER_PROBLEMS[code], facts, { file, ...(path === undefined ? {} : { path }) });
}
