import { writeSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import type { LogConfig } from '../config/config.ts';
import { systemClock } from '../model/clock.ts';
import type { Log } from '../model/log.ts';
import { type LogCaps, LogFiles } from './log-files.ts';
import { lineFence, withoutPrivateFields } from './log-fence.ts';
import { LogTurn } from './log-turn.ts';

export interface BridgeLog extends Log {
  /** Where the lines go now, for a person to look; another file after each day and each full one. */
  readonly file: string;
  /** Other settings from now on. Of `secrets` those of before are kept: what is under way still knows them. */
  change(log: LogConfig, secrets: readonly string[]): void;
  /** What became of lines that could not be written. */
  readonly loss: { lines: number; fault: string | undefined };
}

const MEBIBYTE = 1024 * 1024;

/**
 * One JSON line an event in `<data>/logs`; warnings and errors also on stderr, so that whoever started the program by
 * hand sees them. Lines are written when the turn of the event loop ends, warnings and errors at once: what happened just
 * before a crash is what one wants to read.
 *
 * @param options.secrets values that no line may hold, such as passwords of the settings.
 * @param options.maySayOld whether the clock is believed when it says that a file is old.
 */
export function openLog(options: {
  dataFolder: string;
  log: LogConfig;
  secrets?: readonly string[];
  maySayOld?: () => boolean;
}): BridgeLog {
  const folder = join(options.dataFolder, 'logs');
  const files = new LogFiles(folder, capsOf(options.log), systemClock, options.maySayOld);
  const secrets = new Set(options.secrets);
  let fence = lineFence([...secrets]);
  const turn = new LogTurn((lines) => files.write(fence(lines)));
  const logger = pino(
    {
      level: options.log.level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: withoutPrivateFields },
      // The fence has made of an error what is told of it.
      serializers: { err: (told: unknown) => told },
    },
    pino.multistream([
      { stream: { write: (line) => turn.add(line) }, level: 'debug' },
      { stream: { write: (line) => writeToConsole(fence(line)) }, level: 'warn' },
    ]),
  );
  return {
    get file() {
      return files.file;
    },
    get loss() {
      turn.flush();
      return { lines: files.lostLines, fault: files.fault };
    },
    change: (changed, moreSecrets) => {
      for (const secret of moreSecrets) secrets.add(secret);
      fence = lineFence([...secrets]);
      files.caps = capsOf(changed);
      logger.level = changed.level;
    },
    debug: (facts, message) => logger.debug(facts, message),
    info: (facts, message) => logger.info(facts, message),
    warn: (facts, message) => {
      logger.warn(facts, message);
      turn.flush();
    },
    error: (facts, message) => {
      logger.error(facts, message);
      turn.flush();
    },
  };
}

function capsOf({ max_file_mb, max_files, max_total_mb, keep_days }: LogConfig): LogCaps {
  return {
    maxFileBytes: max_file_mb * MEBIBYTE,
    maxFiles: max_files,
    maxTotalBytes: max_total_mb * MEBIBYTE,
    keepDays: keep_days,
  };
}

/** pino's own destination would end the bridge when the terminal is gone, or wait for room for ever. */
function writeToConsole(line: string): void {
  try {
    writeSync(process.stderr.fd, line);
  } catch {
    // There is nowhere left to tell it.
  }
}
