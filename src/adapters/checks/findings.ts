import type { Problem } from '../../model/problem.ts';
import { adapterProblem } from '../problems.ts';
import { CHECKS, type CheckId } from './check-list.ts';

export interface Finding {
  check: CheckId;
  problem: Problem;
}

/** Enough to work on; the next run tells the next ones. */
const MOST_OF_A_CHECK = 10;

/** What the checks found. The same fault in many cases is told once, with the first case and how many more. */
export class Findings {
  readonly #folder: string;
  readonly #ready: Finding[] = [];
  readonly #cases = new Map<string, { check: CheckId; reason: string; cases: string[] }>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  add(check: CheckId, subject: string, reason: string): void {
    const key = `${check} ${reason}`;
    const known = this.#cases.get(key);
    if (known === undefined) this.#cases.set(key, { check, reason, cases: [subject] });
    else if (!known.cases.includes(subject)) known.cases.push(subject);
  }

  addProblems(check: CheckId, problems: readonly Problem[]): void {
    for (const problem of problems) this.#ready.push({ check, problem });
  }

  all(): Finding[] {
    const grouped = [...this.#cases.values()].map(({ check, reason, cases: [first = '', ...more] }) => {
      const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
      const subject = first === '' ? '' : `${first}${others}: `;
      return {
        check,
        problem: adapterProblem(CHECKS[check].code, this.#folder, {
          reason: `${subject}${reason}`,
          fixture: '',
        }),
      };
    });
    const counts = new Map<CheckId, number>();
    return [...this.#ready, ...grouped].filter(({ check }) => {
      const count = (counts.get(check) ?? 0) + 1;
      counts.set(check, count);
      return count <= MOST_OF_A_CHECK;
    });
  }
}
