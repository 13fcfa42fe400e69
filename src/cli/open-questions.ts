import type { Config } from '../config/config.ts';

/** Tells on stderr what `feed suggest` asked and nobody has answered. Returns how many there are. */
export async function printOpenQuestions(config: Config): Promise<number> {
  const { loadFeedProfile } = await import('../feeds/loaded-feed.ts');
  const { openQuestions } = await import('../feeds/profile/open-questions.ts');
  const files = new Set<string>();
  for (const feed of config.feeds) {
    const profile = await loadFeedProfile(feed, { dataFolder: config.data_folder });
    if (profile.ok) files.add(profile.value.file);
  }
  let count = 0;
  for (const file of files) {
    for (const { line, question } of await openQuestions(file)) {
      console.error(`warning: ${file}:${line}: nobody has answered: ${question}`);
      count += 1;
    }
  }
  return count;
}
