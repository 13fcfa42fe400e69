import { basename } from 'node:path';
import type { Config } from '../config/config.ts';
import type { Problem } from '../model/problem.ts';
import { describeProblem } from '../model/problem.ts';
import { CommandStopped } from './command-stopped.ts';
import { EXIT_CODES } from './exit-codes.ts';

/**
 * Profiles, vocabularies and readers that do not load would refuse every file of their feed: prints them on stderr
 * and stops the command.
 */
export async function stopOnFeedProblems(config: Config): Promise<void> {
  const problems = await feedProblems(config);
  if (problems.length === 0) return;
  for (const problem of problems) console.error(describeProblem(problem));
  throw new CommandStopped(EXIT_CODES.problems);
}

async function feedProblems(config: Config): Promise<Problem[]> {
  const { prepareFeed } = await import('../feeds/prepare-feed.ts');
  const services = { dataFolder: config.data_folder, rooftops: config.dealer.rooftops };
  const problems: Problem[] = [];
  for (const [index, feed] of config.feeds.entries()) {
    const prepared = await prepareFeed(feed, services);
    if (prepared.ok) continue;
    const where = { file: basename(config.file), path: `feeds[${index}].profile` };
    problems.push(...prepared.problems.map((problem) => ({ ...problem, where })));
  }
  return problems;
}
