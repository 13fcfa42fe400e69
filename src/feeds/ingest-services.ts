import type { Clock } from '../model/clock.ts';
import type { InventoryIntake } from '../model/intake.ts';
import type { Log } from '../model/log.ts';
import type { Rooftop } from '../model/rooftop.ts';
import type { KeptFeeds } from './kept-feeds.ts';
import type { ProgressTeller } from './reporting/progress.ts';

/** What the way in of a file needs from the house. */
export interface IngestServices {
  intake: InventoryIntake;
  /** Absolute. */
  dataFolder: string;
  rooftops: readonly Rooftop[];
  /** Ids of the feeds that bring vehicles, as the settings have them. */
  vehicleFeeds?: readonly string[];
  clock: Clock;
  log: Log;
  /** Breaks a run off between two batches; its file stays in the work folder for the next start. */
  signal?: AbortSignal;
  /** Profiles as they were accepted; without it each run reads the files. */
  keptFeeds?: Pick<KeptFeeds, 'find'>;
  /** Default: the log, every ten seconds. */
  progress?: ProgressTeller | undefined;
}
