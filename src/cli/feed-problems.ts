import type { Config } from '../config/config.ts';
import { backupKeyProblems } from '../bridge/backup-key-problems.ts';
import { feedProblems } from '../bridge/feed-problems.ts';
import { describeProblem, type Problem } from '../model/problem.ts';
import { CommandStopped } from './command-stopped.ts';
import { EXIT_CODES } from './exit-codes.ts';

/** Prints what would refuse every file of a feed on stderr and stops the command when there is anything. */
export async function stopOnFeedProblems(config: Config): Promise<void> {
  stopOn(await feedProblems(config));
}

/** As `stopOnFeedProblems`, and so with what would refuse every backup. */
export async function stopOnSettingsProblems(config: Config): Promise<void> {
  stopOn([...(await feedProblems(config)), ...(await backupKeyProblems(config))]);
}

function stopOn(problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  for (const problem of problems) console.error(describeProblem(problem));
  throw new CommandStopped(EXIT_CODES.problems);
}
