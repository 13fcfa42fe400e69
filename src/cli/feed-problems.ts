import type { Config } from '../config/config.ts';
import { feedProblems } from '../bridge/feed-problems.ts';
import { describeProblem } from '../model/problem.ts';
import { CommandStopped } from './command-stopped.ts';
import { EXIT_CODES } from './exit-codes.ts';

/** Prints what would refuse every file of a feed on stderr and stops the command when there is anything. */
export async function stopOnFeedProblems(config: Config): Promise<void> {
  const problems = await feedProblems(config);
  if (problems.length === 0) return;
  for (const problem of problems) console.error(describeProblem(problem));
  throw new CommandStopped(EXIT_CODES.problems);
}
