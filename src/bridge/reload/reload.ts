import { isDeepStrictEqual } from 'node:util';
import type { Config } from '../../config/config.ts';
import type { Log } from '../../model/log.ts';
import type { Problem } from '../../model/problem.ts';
import { loadCheckedSettings } from './checked-settings.ts';
import { lossesOf } from './losses.ts';
import { restartProblems } from './restart-only.ts';
import type { SettingsSource } from './settings-source.ts';
import type { SettingsStanding } from './settings-standing.ts';
import { watchSettings } from './settings-watch.ts';

export interface ReloadParts {
  source: SettingsSource;
  /** The settings in use. */
  inUse: () => Config;
  /** Puts others in their place, or throws and has changed nothing. `profiles` changes with the text of the profiles. */
  putIntoUse: (config: Config, profiles: string) => Promise<void>;
  standing: SettingsStanding;
  log: Log;
}

/**
 * Takes changed settings up while the bridge runs: whole, or not at all. Returns what ends it.
 */
export function startReload({ source, inUse, putIntoUse, standing, log }: ReloadParts): () => Promise<void> {
  let profiles = source.asLoaded.profiles;

  async function takeUp(config: Config, newProfiles: string): Promise<void> {
    const fixed = restartProblems(inUse(), config);
    if (fixed.length > 0) {
      standing.noteRefused(fixed);
      return;
    }
    const changed = [...changedParts(inUse(), config), ...(newProfiles === profiles ? [] : ['profiles'])];
    const lost = lossesOf(inUse(), config);
    if (changed.length > 0) {
      await putIntoUse(config, newProfiles);
      profiles = newProfiles;
    }
    standing.noteInUse(config, changed, lost);
    if (!config.watch_settings) void watch.stop();
  }

  const watch = watchSettings({
    look: () => source.files.look(),
    asLoaded: source.asLoaded,
    load: () => loadCheckedSettings(source.options),
    onSound: async (config, state) => {
      try {
        await takeUp(config, state.profiles);
      } catch (fault) {
        standing.noteRefused([unusable(fault)]);
      }
    },
    onUnsound: (problems) => standing.noteRefused(problems),
    onFault: (fault) => log.error({ err: fault }, 'the settings cannot be looked at'),
  });
  return () => watch.stop();
}

/** Names of the settings at the top of the file that differ. */
function changedParts(inUse: Config, changed: Config): string[] {
  const keys = Object.keys(changed) as (keyof Config)[];
  return keys.filter((key) => !isDeepStrictEqual(inUse[key], changed[key]));
}

function unusable(fault: unknown): Problem {
  const reason = fault instanceof Error ? fault.message : String(fault);
  return { code: 'SETTINGS_UNUSABLE', message: `The settings could not be put into use: ${reason}` };
}
