import { basename } from 'node:path';
import type { Config } from '../../config/config.ts';
import { formatInstant, type Clock } from '../../model/clock.ts';
import type { Log } from '../../model/log.ts';
import { describeProblem, type Problem } from '../../model/problem.ts';
import type { SettingsHealth } from '../../web/health-report.ts';

/** For the health page; the log has all of them. */
const MAX_REASONS = 20;
/** Long enough for whoever looks once a day. */
const TELL_LOST_MS = 24 * 3_600_000;

/** What is said of the settings: since when they are in use, and why newer ones are not. */
export class SettingsStanding {
  readonly #clock: Clock;
  readonly #log: Log;
  #inUseSince: string;
  #refused: SettingsHealth['refused'];
  #lost: SettingsHealth['lost'];

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
    this.#inUseSince = formatInstant(clock.now());
  }

  health(): SettingsHealth {
    const lost = this.#lost;
    const isRecent = lost !== undefined && this.#clock.now() - Date.parse(lost.at) < TELL_LOST_MS;
    return {
      in_use_since: this.#inUseSince,
      ...(this.#refused && { refused: this.#refused }),
      ...(isRecent && { lost }),
    };
  }

  noteRefused(problems: readonly Problem[]): void {
    const reasons = problems.map(describeProblem);
    this.#log.error({ reasons }, 'changed settings are refused; those from before stay in use');
    const at = formatInstant(this.#clock.now());
    this.#refused = { at, reasons: reasons.slice(0, MAX_REASONS) };
  }

  /**
   * What a person waits for after a refusal, and what may be meant otherwise, goes to the console, too.
   *
   * @param changed names of the parts that differ; none when a change was taken back.
   * @param lost what is there no more, in words.
   */
  noteInUse({ file }: Config, changed: readonly string[], lost: readonly string[]): void {
    const wasRefused = this.#refused !== undefined;
    this.#refused = undefined;
    if (changed.length === 0) {
      if (wasRefused) this.#log.warn({}, 'the settings are again those in use');
      return;
    }
    this.#inUseSince = formatInstant(this.#clock.now());
    this.#log[wasRefused ? 'warn' : 'info']({ file: basename(file), changed }, 'changed settings are in use');
    this.#lost = lost.length === 0 ? undefined : { at: this.#inUseSince, what: lost.slice(0, MAX_REASONS) };
    if (lost.length > 0)
      this.#log.warn({ file: basename(file), lost }, 'the change of the settings took away');
  }
}
