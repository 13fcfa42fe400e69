import type { Config } from '../../config/config.ts';
import { loadConfig, type LoadOptions } from '../../config/load.ts';
import { failure, success, type Result } from '../../model/problem.ts';
import { backupKeyProblems } from '../backup-key-problems.ts';
import { feedProblems } from '../feed-problems.ts';

/**
 * As the command `check` does it: bridge.yaml, and then the profiles, vocabularies and readers of its feeds, and the key
 * of the backups.
 */
export async function loadCheckedSettings(options: LoadOptions): Promise<Result<Config>> {
  const loaded = await loadConfig(options);
  if (!loaded.ok) return loaded;
  const problems = [...(await feedProblems(loaded.value)), ...(await backupKeyProblems(loaded.value))];
  return problems.length > 0 ? failure(...problems) : success(loaded.value);
}
