import type { Config } from '../../config/config.ts';
import type { Problem, Result } from '../../model/problem.ts';
import { RepeatedStep } from '../../runtime/repeated-step.ts';
import type { SettingsState } from './settings-files.ts';

export interface SettingsWatchParts {
  /** How the files are now. */
  look: () => Promise<SettingsState>;
  /** As they were when the settings in use were read. */
  asLoaded: SettingsState;
  /** Reads and checks the settings whole. */
  load: () => Promise<Result<Config>>;
  /** Called with settings that are sound and at rest; never twice at once. */
  onSound: (config: Config, state: SettingsState) => Promise<void>;
  onUnsound: (problems: readonly Problem[]) => void;
  onFault: (fault: unknown) => void;
}

const LOOK_MS = 1000;

/**
 * Notices that settings have changed, by looking: events are lost on network shares. Editors write half files, or a
 * new one that takes the name of the old: so a change counts once two looks in a row have seen the same, and once the
 * files are still the same after they have been read. Of several changes the last counts.
 */
export function watchSettings(
  { look, asLoaded, load, onSound, onUnsound, onFault }: SettingsWatchParts,
  lookMs = LOOK_MS,
): { stop(): Promise<void>; look(): Promise<void> } {
  let judged = asLoaded.all;
  let seen = asLoaded.all;

  async function step(): Promise<void> {
    const state = await look();
    const rests = state.all === seen;
    seen = state.all;
    if (!rests || state.all === judged) return;
    const loaded = await load();
    const after = await look();
    seen = after.all;
    if (after.all !== state.all) return;
    judged = state.all;
    if (loaded.ok) await onSound(loaded.value, state);
    else onUnsound(loaded.problems);
  }

  const steps = new RepeatedStep(step, lookMs, onFault);
  return { stop: () => steps.stop(), look: () => steps.now() };
}
