// Loaded into a process that is to die, as if by kill -9 or a power cut, right after it has noted a step of an upgrade
// (KILL_AT: the step) or has written a file of that name.
import promises from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';

const { rename } = promises;
promises.rename = async (from, to) => {
  await rename(from, to);
  const name = basename(String(to));
  const step = name === 'upgrade.json' ? JSON.parse(readFileSync(to, 'utf8')).under_way?.step : undefined;
  if (process.env.KILL_AT === (step ?? name)) process.kill(process.pid, 'SIGKILL');
};
syncBuiltinESMExports();
