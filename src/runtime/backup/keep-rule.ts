import type { BackupManifest } from './manifest.ts';

/** What the rule looks at. */
export interface KeptBackup {
  name: string;
  /** Ms since 1970. */
  takenAt: number;
  reason: BackupManifest['reason'];
  isGood: boolean;
}

const DAY_MS = 86_400_000;
/** The week begins on Monday; January 5, 1970 was one. */
const FIRST_MONDAY_DAYS = 4;

/**
 * The names of the backups that stay. Of the good ones: the newest of each of the last days and weeks that have one
 * (of UTC), the newest of all, the newest before an upgrade or migration, and those of the last days that were not
 * made by night. Of the faulty ones: the newest, for whoever wants to see what was wrong, until a good one follows.
 */
export function keptBackups(
  backups: readonly KeptBackup[],
  keep: { daily: number; weekly: number },
): Set<string> {
  const newestFirst = [...backups].sort((left, right) => right.takenAt - left.takenAt);
  const good = newestFirst.filter(({ isGood }) => isGood);
  const days = newestOfEach(good, ({ takenAt }) => Math.floor(takenAt / DAY_MS)).slice(0, keep.daily);
  const weeks = newestOfEach(good, weekOf).slice(0, keep.weekly);
  const newest = good[0];
  const oldestDay = (newest?.takenAt ?? 0) - keep.daily * DAY_MS;
  const wanted = good.filter(({ reason, takenAt }) => reason !== 'nightly' && takenAt > oldestDay);
  const beforeChange = good.find(({ reason }) => reason.startsWith('before'));
  const failed = newestFirst[0]?.isGood === false ? newestFirst[0] : undefined;
  const kept = [newest, beforeChange, failed, ...days, ...weeks, ...wanted];
  return new Set(kept.flatMap((backup) => (backup === undefined ? [] : [backup.name])));
}

function weekOf({ takenAt }: KeptBackup): number {
  return Math.floor((takenAt / DAY_MS - FIRST_MONDAY_DAYS) / 7);
}

/** Of a list that has the newest first. */
function newestOfEach(backups: readonly KeptBackup[], groupOf: (backup: KeptBackup) => number): KeptBackup[] {
  const groups = new Map<number, KeptBackup>();
  for (const backup of backups) {
    const group = groupOf(backup);
    if (!groups.has(group)) groups.set(group, backup);
  }
  return [...groups.values()];
}
