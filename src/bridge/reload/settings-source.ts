import { resolve } from 'node:path';
import type { LoadOptions } from '../../config/load.ts';
import { SettingsFiles, type SettingsState } from './settings-files.ts';

/** Where the settings of a running bridge come from, and how the files were when they were read. */
export interface SettingsSource {
  options: LoadOptions;
  files: SettingsFiles;
  asLoaded: SettingsState;
}

/** To be called before the settings are loaded; never rejects. */
export async function openSettingsSource(options: LoadOptions): Promise<SettingsSource> {
  const files = new SettingsFiles(resolve(options.file), resolve(options.dataFolder ?? 'data'));
  return { options, files, asLoaded: await files.look() };
}
