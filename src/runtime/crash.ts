import type { Log } from '../model/log.ts';

/**
 * A fault that nobody caught leaves the program in an unknown state: it is logged and the program ends, to be
 * started again by its service. Every acknowledged lead is on disk. Returns a function that takes the handler off.
 *
 * @param exitCode what the program answers to the shell then.
 */
export function endOnCrash(log: Log, exitCode: number): () => void {
  const handle = (fault: unknown): void => {
    log.error({ fault: fault instanceof Error ? fault.stack : String(fault) }, 'the bridge crashed');
    process.exit(exitCode);
  };
  process.on('uncaughtException', handle);
  return () => process.off('uncaughtException', handle);
}
