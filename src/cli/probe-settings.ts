import type { Config } from '../config/config.ts';
import { loadConfig } from '../config/load.ts';
import { programFindings } from '../bridge/probe/program.ts';
import { probeBridge } from '../bridge/probe/probe.ts';
import { systemClock } from '../model/clock.ts';
import type { Finding } from '../model/finding.ts';
import { describeProblem } from '../model/problem.ts';
import { resolve } from 'node:path';
import type { ConfigOptions } from './config-options.ts';
import { programVersion } from '../runtime/program-version.ts';

export interface Probed {
  findings: Finding[];
  /** Absent when the settings have faults, which are then the findings. */
  config?: Config;
}

/** Reads the settings and tries them out. Faults in them are findings as well: a support archive is wanted most then. */
export async function probeSettings(
  options: ConfigOptions & { port?: number; adminPort?: number },
): Promise<Probed> {
  const { config: file, data, port, adminPort } = options;
  const loaded = await loadConfig({
    file,
    environment: process.env,
    ...(data !== undefined && { dataFolder: data }),
    ...(port !== undefined && { port }),
    ...(adminPort !== undefined && { adminPort }),
  });
  const version = programVersion();
  if (loaded.ok) {
    return { config: loaded.value, findings: await probeBridge(loaded.value, version, systemClock.now()) };
  }
  const faults = loaded.problems.map((problem): Finding => ({
    key: 'settings',
    status: 'fail',
    text: describeProblem(problem),
    remedy: 'Mend it in the settings; until then nothing else can be tried.',
  }));
  return { findings: [...(await programFindings(version, resolve(data ?? 'data'))), ...faults] };
}
