/** What the outside should know of the backups: for the health page, the metrics and the alerts. Times are ms since 1970. */
export interface BackupHealth {
  /** Whether the bridge makes them by itself. */
  enabled: boolean;
  /** The newest backup that was verified: when the state it holds was taken, and its name. */
  lastGood?: { at: number; name: string };
  /** Set while the last try failed; gone as soon as one succeeds. `reason` is one sentence without customer data. */
  lastFailure?: BackupFailure;
  /** Of the second place, where one is configured. */
  copy?: { lastGood?: { at: number; name: string }; lastFailure?: BackupFailure };
  /** No good one for two days although they are enabled; on a new machine not before two days after the first start. */
  overdue: boolean;
}

export interface BackupFailure {
  at: number;
  reason: string;
}
