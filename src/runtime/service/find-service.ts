import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServiceManager } from './service-manager.ts';
import { carryOut } from './steps.ts';
import { serviceNameOf, systemd, UNIT_FOLDER } from './systemd-service.ts';
import { RECORD_FOLDER, recordedService, windowsServices } from './windows-service.ts';

/** Undefined where the program knows no service manager. */
export function serviceManager(platform = process.platform): ServiceManager | undefined {
  if (platform === 'win32') return windowsServices;
  return platform === 'linux' ? systemd : undefined;
}

/** The service, set up by "service install", that runs the bridge of this data folder now. */
export async function runningServiceOf(
  dataFolder: string,
): Promise<{ name: string; stop(): Promise<void>; start(): Promise<void> } | undefined> {
  const manager = serviceManager();
  if (manager === undefined) return undefined;
  for (const name of namesOf(dataFolder)) {
    if (!(await manager.state(name)).isRunning) continue;
    return {
      name,
      stop: () => carryOut(manager.planStop(name)),
      start: () => carryOut(manager.planStart(name)),
    };
  }
  return undefined;
}

function namesOf(dataFolder: string): string[] {
  const [folder, read] =
    process.platform === 'win32' ? [RECORD_FOLDER, recordedService] : [UNIT_FOLDER, serviceNameOf];
  return textsIn(folder).flatMap(({ name, text }) => {
    const service = read(name, text, dataFolder);
    return service === undefined ? [] : [service];
  });
}

function textsIn(folder: string): { name: string; text: string }[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(?:service|json)$/.test(entry.name))
      .map(({ name }) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
  } catch {
    // Nobody has set up a service here, or it is not for us to see.
    return [];
  }
}
