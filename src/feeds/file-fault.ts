import type { Problem, ProblemPlace } from '../model/problem.ts';
import { explain, type FileFaultCode } from './problems.ts';

/** The reason why a whole file is refused, in the words of the table of codes. */
export function fileFault(code: FileFaultCode, detail?: string, where?: ProblemPlace): Problem {
  return { code, ...explain(code, { detail }), ...(where === undefined ? {} : { where }) };
}
