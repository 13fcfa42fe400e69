import type { Problem, ProblemPlace } from './problem.ts';

/** One row of an area's problem table. `{name}` in the message is filled with the facts of the case. */
export interface ProblemText {
  readonly message: string;
  readonly remedy?: string;
}

export type ProblemFacts = Readonly<Record<string, string | number>>;

/** The problem of a table row with its facts. A message that ends in a question answers itself: no remedy then. */
export function problemOf(
  code: string,
  text: ProblemText,
  facts: ProblemFacts,
  where: ProblemPlace | undefined,
): Problem {
  const message = text.message.replace(/\{(\w+)\}/g, (_, name: string) => String(facts[name] ?? ''));
  const place = where === undefined ? {} : { where };
  if (text.remedy === undefined || message.endsWith('?')) return { code, message, ...place };
  return { code, message: /[.!]$/.test(message) ? message : `${message}.`, remedy: text.remedy, ...place };
}
