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

/** However long ago they were made: a person had a reason. */
const LEAST_BY_HAND = 5;

/**
 * The names of the backups that stay. Of the good ones, those of the nights and those made by hand each for themselves:
 * the newest of each of the last days and weeks that have one (of UTC). Besides: the newest of all and everything else of
 * its day, the newest few made by hand, the newest before an upgrade or migration, and those of the last days that were
 * not made by night. Of the faulty ones: the newest, for whoever wants to see what was wrong, until a good one follows.
 */
export function keptBackups(
  backups: readonly KeptBackup[],
  keep: { daily: number; weekly: number },
): Set<string> {
  const newestFirst = [...backups].sort((left, right) => right.takenAt - left.takenAt);
  const good = newestFirst.filter(({ isGood }) => isGood);
  const madeFor = (reason: KeptBackup['reason']): KeptBackup[] =>
    good.filter((backup) => backup.reason === reason);
  const [byNight, byHand] = [madeFor('nightly'), madeFor('by hand')];
  const days = [byNight, byHand].flatMap((kind) => newestOfEach(kind, dayOf).slice(0, keep.daily));
  const weeks = [byNight, byHand].flatMap((kind) => newestOfEach(kind, weekOf).slice(0, keep.weekly));
  const [newest] = good;
  // Of two of one day the older may be the one from before a mistake; it goes when the next day has one.
  const ofNewestDay = good.filter((backup) => newest !== undefined && dayOf(backup) === dayOf(newest));
  const oldestDay = (newest?.takenAt ?? 0) - keep.daily * DAY_MS;
  const wanted = good.filter(({ reason, takenAt }) => reason !== 'nightly' && takenAt > oldestDay);
  const beforeChange = good.find(({ reason }) => reason.startsWith('before'));
  const failed = newestFirst[0]?.isGood === false ? newestFirst[0] : undefined;
  const kept = [
    ...ofNewestDay,
    beforeChange,
    failed,
    ...days,
    ...weeks,
    ...wanted,
    ...byHand.slice(0, LEAST_BY_HAND),
  ];
  return new Set(kept.flatMap((backup) => (backup === undefined ? [] : [backup.name])));
}

function dayOf({ takenAt }: KeptBackup): number {
  return Math.floor(takenAt / DAY_MS);
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
