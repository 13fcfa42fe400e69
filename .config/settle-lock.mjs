// After a change of packages (`npm install`): `npm run lock`.
//
// Our native packages bring their binaries along or do without. npm 11 is told so in package.json (allowScripts);
// npm 10 knows only what the lock file says and would start a compiler that a dealer's machine does not have.
import { readFileSync, writeFileSync } from 'node:fs';

const NEVER_BUILT = ['better-sqlite3', 'cpu-features', 'ssh2'];

const file = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(file, 'utf8'));
for (const name of NEVER_BUILT) {
  const entry = lock.packages[`node_modules/${name}`];
  if (entry === undefined) continue;
  delete entry.hasInstallScript;
  entry.gypfile = false;
}
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
