import { backupKeyProblems } from '../bridge/backup-key-problems.ts';
import type { Config } from '../config/config.ts';
import { exposureWarnings } from '../config/exposure.ts';
import { rooftopContactWarnings } from '../config/rooftop-contact-warnings.ts';
import { timeZoneWarnings } from '../config/time-zone-warnings.ts';
import { describeProblem, type Problem } from '../model/problem.ts';

/** Tells on stderr what is allowed and yet seldom meant; the command goes on. Returns how many there were. */
export async function printExposureWarnings(config: Config): Promise<number> {
  return print([...timeZoneWarnings(config), ...(await exposureWarnings(config, Date.now()))]);
}

/** What leads and replies lack. */
export function printContactWarnings(config: Config): number {
  return print(rooftopContactWarnings(config));
}

/** The same, and what `check` refuses but no start. */
export async function printStartWarnings(config: Config): Promise<void> {
  await printExposureWarnings(config);
  print(await backupKeyProblems(config));
}

function print(warnings: readonly Problem[]): number {
  for (const warning of warnings) console.error(`warning: ${describeProblem(warning)}`);
  return warnings.length;
}
