import { joinPointer, type SchemaFault } from '../../documents/json-schema.ts';
import type { YamlDocument } from '../../documents/yaml-document.ts';
import { problemOf, type ProblemFacts } from '../../model/problem-text.ts';
import type { Problem, ProblemPlace } from '../../model/problem.ts';

/** Every fault a profile or a vocabulary can have. `{name}` is filled with the facts. */
const PROFILE_PROBLEMS = {
  FEED_SCHEMA: { message: '{reason}' },
  FEED_PROFILE_NOT_FOUND: {
    message: 'no profile "{name}"{suggestion}',
    remedy: 'Give the name of a profile or the path of its .yaml file.',
  },
  FEED_PROFILE_CYCLE: {
    message: 'the profiles extend each other in a circle: {chain}',
    remedy: 'Let one of them stand on its own.',
  },
  FEED_PROFILE_READER_MISSING: {
    message: 'no reader is named',
    remedy: 'Write `reader: csv` or `reader: xml`.',
  },
  FEED_IDENTITY_NOT_MAPPED: {
    message: 'nothing tells which vehicle a row is',
    remedy: 'Map vin, stock or vehicle_id.',
  },
  FEED_FIELD_NOT_MAPPED: {
    message: 'the field {field} is not mapped, and no listing can do without it',
    remedy: 'Map it to a column, or give it a constant.',
  },
  FEED_COLUMN_NEVER_PUBLISHED: {
    message: 'the column "{column}" holds what must stay inside the dealership and can never be published',
    remedy: 'Map another column.',
  },
  FEED_COLUMN_EXCLUDED: {
    message: 'the column "{column}" is mapped here and listed under never_publish',
    remedy: 'Take it out of one of the two.',
  },
  FEED_CONDITION_IS_FLAG: {
    message: 'the column "{column}" answers yes or no, and it is not said which of them means new',
    remedy: 'Add new_values, such as `new_values: [Y]`.',
  },
  FEED_WORD_NOT_ALLOWED: {
    message: '"{word}" is not one of {allowed}',
    remedy: 'Translate to one of these words.',
  },
  FEED_WORD_TWICE: {
    message: 'the word "{word}" already means {other}',
    remedy: 'Keep it in one place only.',
  },
  FEED_CONSTANT_INVALID: {
    message: '"{value}" is no value that {field} can have',
    remedy: 'Write it the way a good export would.',
  },
  FEED_DATE_FORMAT: {
    message: 'the date format "{format}" does not name year, month and day once each',
    remedy: 'Write it like MM/DD/YYYY, YYYYMMDD or DD-MMM-YYYY.',
  },
  FEED_UNIT_UNKNOWN: {
    message: 'no unit "{unit}"',
    remedy: 'Write miles, km or hours.',
  },
  FEED_REQUIRED_NOT_MAPPED: {
    message: 'the field {field} is required but not mapped',
    remedy: 'Map it, or take it out of required.',
  },
  FEED_GATHER_NOT_COMPANION: {
    message: 'rows can be gathered in companion files only',
    remedy: 'Write companion: true, or take gather out.',
  },
  FEED_PRICE_BOUNDS: {
    message: 'the lowest price is above the highest',
    remedy: 'Swap them.',
  },
  FEED_FEE_TWICE: {
    message: 'the fee "{name}" is listed twice',
    remedy: 'Give each charge a name of its own.',
  },
} as const;

type ProfileProblemCode = keyof typeof PROFILE_PROBLEMS;

export function profileProblem(
  code: ProfileProblemCode,
  where: ProblemPlace,
  facts: ProblemFacts = {},
): Problem {
  return problemOf(code, PROFILE_PROBLEMS[code], facts, where);
}

/** A fault against the schema, at its line and column. */
export function faultProblem(fault: SchemaFault, document: YamlDocument): Problem {
  const pointer = fault.key === undefined ? fault.pointer : joinPointer(fault.pointer, fault.key);
  return profileProblem('FEED_SCHEMA', document.place(pointer), { reason: fault.message });
}
