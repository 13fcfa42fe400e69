import type { Problem, ProblemPlace } from '../model/problem.ts';
import { problemOf, type ProblemFacts } from '../model/problem-text.ts';

/** What can be wrong with a settings file as such, whatever it is about. `{name}` is filled with the facts. */
const DOCUMENT_PROBLEMS = {
  CONFIG_FILE_UNREADABLE: {
    message: 'the file can not be read: {reason}',
    remedy: 'Check the path given with --config and the rights of the user the bridge runs as.',
  },
  CONFIG_FILE_TOO_LARGE: {
    message: 'the file is larger than {limit} bytes',
    remedy: 'This can not be a settings file; check the path.',
  },
  CONFIG_FILE_NOT_UTF8: {
    message: 'the file is not UTF-8 text',
    remedy: 'Save it as UTF-8 (in Notepad: Save as, Encoding UTF-8).',
  },
  CONFIG_FILE_EMPTY: {
    message: 'the file holds no settings',
    remedy: 'Start from config/bridge.yaml.',
  },
  CONFIG_YAML_INVALID: { message: '{reason}' },
  CONFIG_KEY_TWICE: {
    message: 'the key "{key}" is written twice',
    remedy: 'Keep one of the two.',
  },
  CONFIG_KEY_FORBIDDEN: { message: 'the key "{key}" is not allowed', remedy: 'Remove it.' },
  CONFIG_MERGE_KEY: {
    message: 'the merge key "<<" is not supported',
    remedy: 'Write the keys out, or use an alias for a whole value.',
  },
  CONFIG_TOKEN: { message: '{reason}' },
  CONFIG_TOO_COMPLEX: {
    message: 'the file is nested too deeply or its aliases make it too large',
    remedy: 'Write it plainly.',
  },
} as const;

export type DocumentProblemCode = keyof typeof DOCUMENT_PROBLEMS;

export function documentProblem(
  code: DocumentProblemCode,
  where: ProblemPlace,
  facts: ProblemFacts = {},
): Problem {
  return problemOf(code, DOCUMENT_PROBLEMS[code], facts, where);
}
