import type { Config } from '../config/config.ts';
import { exposureWarnings } from '../config/exposure.ts';
import { describeProblem } from '../model/problem.ts';

/** Tells on stderr what is allowed and yet seldom meant; the command goes on. Returns how many there were. */
export async function printExposureWarnings(config: Config): Promise<number> {
  const warnings = await exposureWarnings(config, Date.now());
  for (const warning of warnings) console.error(`warning: ${describeProblem(warning)}`);
  return warnings.length;
}
