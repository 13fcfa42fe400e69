/**
 * A problem is an expected fault, told as a value: what it is (code, stable, for programs), what happened
 * (message, for a person) and what to do about it (remedy). Exceptions are kept for bugs and broken I/O.
 */
export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly remedy?: string;
  readonly where?: ProblemPlace;
}

/** Where in a file the fault stands. Lines and columns count from 1; `path` is like `feeds[1].profile`. */
export interface ProblemPlace {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly path?: string;
}

export type Result<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problems: readonly Problem[] };

export function success<T>(value: T): Result<T> {
  return { ok: true, value };
}

export function failure(...problems: readonly Problem[]): Result<never> {
  return { ok: false, problems };
}

/** One line for a person: `bridge.yaml:31:7 feeds[1].profile: no profile "homnet"; did you mean "homenet"?` */
export function describeProblem(problem: Problem): string {
  const { file, line, column, path } = problem.where ?? {};
  const position = [file, line, column].filter((part) => part !== undefined).join(':');
  const place = [position, path].filter((part) => part !== undefined && part !== '').join(' ');
  const text =
    problem.remedy === undefined ? problem.message : `${asSentence(problem.message)} ${problem.remedy}`;
  return place === '' ? text : `${place}: ${text}`;
}

/** Adapters, too, write messages, and most leave the full stop to us. */
function asSentence(message: string): string {
  return /[.!?:]$/.test(message) ? message : `${message}.`;
}
