import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into a measured process before its program (`node --import`), the program itself stays as it is. Answers
 * every message with what the process has used so far, all its threads together.
 */
export interface Observation {
  /** Processor time, user and system. */
  cpuMs: number;
  /** The same of the main thread alone, which serves. */
  mainThreadMs: number;
  rssBytes: number;
  /** The longest that the main thread has kept the event loop waiting since the last look. */
  longestBlockMs: number;
}

if (isMainThread && process.channel !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    const main = process.threadCpuUsage();
    const observation: Observation = {
      cpuMs: (user + system) / 1_000,
      mainThreadMs: (main.user + main.system) / 1_000,
      rssBytes: process.memoryUsage.rss(),
      longestBlockMs: delay.max / 1e6,
    };
    delay.reset();
    process.send?.(observation);
  });
  // Nobody is left behind when the bench breaks off.
  process.on('disconnect', () => process.exit());
  // The program ends when it has ended, whoever looks on.
  process.channel.unref();
}
