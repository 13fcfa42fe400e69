import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** How long a bridge may take to see that it is asked to stop. */
const LOOK_MS = 500;

/** Where somebody asks the bridge of a data folder to stop, when no signal reaches it: a service on Windows, a container. */
function stopFile(dataFolder: string): string {
  return join(dataFolder, 'stop');
}

export function askToStop(dataFolder: string): void {
  writeFileSync(stopFile(dataFolder), 'dealer-bridge stops when it sees this file, and removes it.\n');
}

/** One that was left behind, by somebody who asked while no bridge ran, stops nobody later. */
export function forgetStopFile(dataFolder: string): void {
  try {
    rmSync(stopFile(dataFolder), { force: true });
  } catch {
    // Somebody holds it: then it is seen, and the bridge stops, rather than none starting at all.
  }
}

/** Calls `stop` once, soon after the file has come. The file goes with it. Returns what ends the watching. */
export function onStopFile(dataFolder: string, stop: () => void): () => void {
  const timer = setInterval(() => {
    if (!existsSync(stopFile(dataFolder))) return;
    clearInterval(timer);
    forgetStopFile(dataFolder);
    stop();
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
