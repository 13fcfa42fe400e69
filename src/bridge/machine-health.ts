import { statfs } from 'node:fs/promises';
import type { BridgeLog } from '../runtime/logging.ts';
import type { EventLoopWatch } from '../runtime/event-loop-watch.ts';
import type { MachineHealth } from '../web/health-report.ts';

/** @param databases why one does not answer. */
export async function machineHealth(
  dataFolder: string,
  { log, eventLoop }: { log: BridgeLog; eventLoop: EventLoopWatch },
  databases: MachineHealth['databases'],
): Promise<MachineHealth> {
  const disk = await diskOf(dataFolder);
  const { p99Ms, maxMs } = eventLoop.delay;
  const { lines, fault } = log.loss;
  return {
    ...(disk === undefined ? {} : { disk }),
    event_loop: { delay_p99_ms: p99Ms, delay_max_ms: maxMs },
    databases,
    log: { lost_lines: lines, ...(fault === undefined ? {} : { fault }) },
  };
}

/** What this account may still write, which is less than what is free. */
async function diskOf(folder: string): Promise<MachineHealth['disk']> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { free_bytes: bavail * bsize, total_bytes: blocks * bsize };
  } catch {
    return undefined;
  }
}
