import { basename } from 'node:path';
import type { Config } from '../config/config.ts';
import type { Problem } from '../model/problem.ts';

/** Profiles, vocabularies and readers that do not load: they would refuse every file of their feed. */
export async function feedProblems(config: Config): Promise<Problem[]> {
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
