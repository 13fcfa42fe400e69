import { setTimeout as sleep } from 'node:timers/promises';

/**
 * What Windows answers while somebody else holds a file or a file of a folder: a virus scanner, an indexer, a backup
 * program, an uploader that has not let go yet. The same step succeeds a moment later. ENOTEMPTY: a file of the folder
 * is deleted already, and its name goes when the last one who has it open closes it.
 */
const HELD = new Set(['EBUSY', 'EPERM', 'EACCES', 'ENOTEMPTY']);

/** About three seconds in all, since scanners look longest at the biggest files. */
const WAITS_MS = [50, 200, 800, 2000];

/** Waits so many milliseconds. */
export type Wait = (ms: number) => Promise<unknown>;

/** Does the step again, later and later, while the file is held; what it answers last is the answer. */
export async function patiently<T>(step: () => Promise<T>, wait: Wait = sleep): Promise<T> {
  for (const ms of WAITS_MS) {
    try {
      return await step();
    } catch (fault) {
      if (!HELD.has(errorCode(fault))) throw fault;
      await wait(ms);
    }
  }
  return step();
}

/** Node's code of a failed system call, such as `ENOENT`; empty when it was something else. */
export function errorCode(fault: unknown): string {
  return fault instanceof Error && 'code' in fault && typeof fault.code === 'string' ? fault.code : '';
}
