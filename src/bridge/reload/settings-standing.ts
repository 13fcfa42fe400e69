import { basename } from 'node:path';
import type { Config } from '../../config/config.ts';
import { formatInstant, type Clock } from '../../model/clock.ts';
import type { Log } from '../../model/log.ts';
import { describeProblem, type Problem } from '../../model/problem.ts';
import type { SettingsHealth } from '../../web/health-report.ts';

/** For the health page; the log has all of them. */
const MAX_REASONS = 20;

/** What is said of the settings: since when they are in use, and why newer ones are not. */
export class SettingsStanding {
  readonly #clock: Clock;
  readonly #log: Log;
  #inUseSince: string;
  #refused: SettingsHealth['refused'];

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
    this.#inUseSince = formatInstant(clock.now());
  }

  health(): SettingsHealth {
    return { in_use_since: this.#inUseSince, ...(this.#refused && { refused: this.#refused }) };
  }

  noteRefused(problems: readonly Problem[]): void {
    const reasons = problems.map(describeProblem);
    this.#log.error({ reasons }, 'changed settings are refused; those from before stay in use');
    const at = formatInstant(this.#clock.now());
    this.#refused = { at, reasons: reasons.slice(0, MAX_REASONS) };
  }

  /** @param changed names of the parts that differ; none when a change was taken back. */
  noteInUse({ file }: Config, changed: readonly string[]): void {
    const wasRefused = this.#refused !== undefined;
    this.#refused = undefined;
    if (changed.length === 0) {
      if (wasRefused) this.#log.info({}, 'the settings are again those in use');
      return;
    }
    this.#inUseSince = formatInstant(this.#clock.now());
    this.#log.info({ file: basename(file), changed }, 'changed settings are in use');
  }
}
