/** All that a backup needs to know, as plain data: a worker thread gets it, too. Paths are absolute. */
export interface BackupPlan {
  dataFolder: string;
  /** Where backups lie. */
  folder: string;
  /** A second place. */
  copyTo?: string;
  keep: { daily: number; weekly: number };
  /** Set: backups are encrypted. */
  keyFile?: string;
  programVersion: string;
  databases: PlannedDatabase[];
  files: PlannedFile[];
}

export interface PlannedDatabase {
  /** File name in the data folder. */
  name: string;
  /** A larger one is left out. */
  maxBytes?: number;
}

export interface PlannedFile {
  /** `secret` files go along only when the backup is encrypted. */
  kind: 'settings' | 'secret' | 'adapter';
  /** Relative, with slashes. */
  path: string;
  from: string;
}
