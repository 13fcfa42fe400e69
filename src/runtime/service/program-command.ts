import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findInstallation, launcherOf } from '../upgrade/installation.ts';

const PROGRAM_FOLDER = join(fileURLToPath(new URL('../../../', import.meta.url)), '.');

/** What a service starts: of an unpacked package the launcher, which outlives its versions; of a clone this very Node. */
export function programCommand(): { program: string[]; programFolder: string } {
  const installation = findInstallation();
  if (installation !== undefined) {
    return { program: [launcherOf(installation)], programFolder: installation.folder };
  }
  const bundled = join(
    PROGRAM_FOLDER,
    'node_modules',
    'node',
    'bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  );
  const node = existsSync(bundled) ? bundled : process.execPath;
  return { program: [node, join(PROGRAM_FOLDER, 'bin', 'dealer-bridge.mjs')], programFolder: PROGRAM_FOLDER };
}
