import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Config, ServerConfig } from '../../config/config.ts';
import type { Problem } from '../../model/problem.ts';

/** What the open ports are made of. */
const FIXED: readonly (keyof ServerConfig)[] = ['host', 'port', 'admin_host', 'admin_port', 'tls', 'limits'];

/**
 * What keeps a change from being used while the bridge runs. Then nothing of it is used: the bridge always runs by one
 * text of the settings as a whole, never by half of a new one.
 */
export function restartProblems(inUse: Config, changed: Config): Problem[] {
  return FIXED.filter((key) => !isDeepStrictEqual(inUse.server[key], changed.server[key])).map((key) => ({
    code: 'SETTINGS_NEED_RESTART',
    message: 'cannot change while the bridge runs.',
    remedy: 'Restart the bridge; until then nothing of this change is in use.',
    where: { file: basename(changed.file), path: `server.${key}` },
  }));
}
