import { fileURLToPath } from 'node:url';
import { loadVocabularies } from '../feeds/profile/vocabulary.ts';
import type { Log } from '../model/log.ts';
import { describeProblem } from '../model/problem.ts';
import type { Vocabularies } from '../model/vocabulary.ts';

export const VOCABULARY_FOLDER = fileURLToPath(new URL('../../config/vocabulary/', import.meta.url));

/**
 * The vocabulary of the feeds, by which shoppers' words are understood as well. With a broken one the lot is served
 * all the same, and words count literally; the feeds tell the fault with their next file.
 */
export async function loadShopperWords(log: Log): Promise<Vocabularies | undefined> {
  const loaded = await loadVocabularies(VOCABULARY_FOLDER);
  if (loaded.ok) return loaded.value;
  const problems = loaded.problems.map(describeProblem);
  log.warn({ problems }, 'config/vocabulary cannot be read; searches know no synonyms until the next start');
  return undefined;
}
