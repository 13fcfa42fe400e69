import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildPackages } from './build-package.ts';
import { PLATFORMS, PROJECT } from './project.ts';

/** `npm run package [-- --platform linux-x64|win32-x64]`: into dist/, for all platforms or the one that is named. */

// A zip keeps local times; the same commit gives the same bytes wherever it is built.
process.env.TZ = 'UTC';

const COMPRESSION = 6;

const { values } = parseArgs({ options: { platform: { type: 'string', multiple: true } } });
const wanted = values.platform ?? PLATFORMS;
const platforms = PLATFORMS.filter((platform) => wanted.includes(platform));
if (platforms.length !== wanted.length) {
  console.error(`--platform takes ${PLATFORMS.join(' or ')}, not ${wanted.join(', ')}`);
  process.exitCode = 2;
} else {
  const built = await buildPackages(platforms, join(PROJECT, 'dist'), COMPRESSION);
  for (const { archive } of built) console.log(archive);
}
