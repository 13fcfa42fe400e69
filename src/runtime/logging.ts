import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import type { Log } from '../model/log.ts';

export interface BridgeLog extends Log {
  /** Where the lines go, for a person to look. */
  readonly file: string;
  /** Everything written so far is on disk when it returns. */
  flush(): void;
}

/**
 * One JSON line an event in `<data>/logs/bridge.log`; warnings and errors also on stderr, so that whoever started
 * the program by hand sees them. Lines are written at once: what happened just before a crash is what one wants
 * to read.
 */
export function openLog(options: { dataFolder: string; level: pino.Level }): BridgeLog {
  const folder = join(options.dataFolder, 'logs');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'bridge.log');
  const disk = pino.destination({ dest: file, append: true, sync: true });
  const screen = pino.destination({ dest: 2, sync: true });
  const logger = pino(
    {
      level: options.level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      // A second fence: rooms log ids and codes only, these never pass even when one forgets.
      redact: {
        paths: [
          'customer',
          'consent',
          'request',
          'password',
          'authorization',
          'body',
          '*.customer',
          '*.consent',
          '*.password',
        ],
        censor: '[removed]',
      },
    },
    pino.multistream([
      { stream: disk, level: options.level },
      { stream: screen, level: 'warn' },
    ]),
  );
  return {
    file,
    debug: (facts, message) => logger.debug(facts, message),
    info: (facts, message) => logger.info(facts, message),
    warn: (facts, message) => logger.warn(facts, message),
    error: (facts, message) => logger.error(facts, message),
    flush: () => {
      disk.flushSync();
    },
  };
}
