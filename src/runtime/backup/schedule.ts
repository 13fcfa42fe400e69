/** Times are ms since 1970, of this machine's clock; `at` is its local time of day, such as `02:30`. */
export interface BackupTimes {
  at: string;
  /** Added to the time of day, so that many bridges on one disk do not begin at once. */
  jitterMs: number;
  /** When the bridge started: just then it has better things to do. */
  startedAt: number;
  lastGoodAt?: number | undefined;
  lastTryAt?: number | undefined;
}

/** What was missed while the machine was off is caught up so long after the start. */
const AFTER_START_MS = 2 * 60_000;
/** A backup that failed is tried again so long after. */
const RETRY_MS = 60 * 60_000;

/** Whether a backup is to be made now: the last time of day that has passed has no good one yet. */
export function isBackupDue(times: BackupTimes, now: number): boolean {
  const { jitterMs, startedAt, lastGoodAt, lastTryAt } = times;
  // A clock that was set back must not keep the bridge waiting for a time that was.
  if (now < startedAt + AFTER_START_MS && now >= startedAt) return false;
  const scheduled = lastTimeOfDay(times.at, now - jitterMs) + jitterMs;
  if (lastGoodAt !== undefined && lastGoodAt >= scheduled && lastGoodAt <= now) return false;
  const isTriedLately = lastTryAt !== undefined && lastTryAt >= scheduled && lastTryAt <= now;
  return !isTriedLately || now - lastTryAt >= RETRY_MS;
}

/** The last time at which local clocks showed this time of day; on the day they skip it, an hour later. */
function lastTimeOfDay(at: string, now: number): number {
  const [hour = 0, minute = 0] = at.split(':').map(Number);
  const today = new Date(now);
  today.setHours(hour, minute, 0, 0);
  if (today.getTime() <= now) return today.getTime();
  const yesterday = new Date(now);
  yesterday.setDate(yesterday.getDate() - 1);
  yesterday.setHours(hour, minute, 0, 0);
  return yesterday.getTime();
}
