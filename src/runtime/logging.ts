import { mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import type { Log } from '../model/log.ts';

export interface BridgeLog extends Log {
  /** Where the lines go, for a person to look. */
  readonly file: string;
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
      { stream: lineWriter(openSync(file, 'a')), level: options.level },
      { stream: lineWriter(process.stderr.fd), level: 'warn' },
    ]),
  );
  return {
    file,
    debug: (facts, message) => logger.debug(facts, message),
    info: (facts, message) => logger.info(facts, message),
    warn: (facts, message) => logger.warn(facts, message),
    error: (facts, message) => logger.error(facts, message),
  };
}

/**
 * A line that cannot be written (disk full, terminal gone) is lost and nothing else: the bridge must go on, and
 * pino's own destination would end it, or wait for room for ever.
 */
function lineWriter(descriptor: number): pino.DestinationStream {
  return {
    write: (line) => {
      try {
        writeSync(descriptor, line);
      } catch {
        // There is nowhere left to tell it.
      }
    },
  };
}
