import type { Finding, FindingStatus } from '../model/finding.ts';
import type { CertificateStatus } from './certificate.ts';

/** How the bridge is, for the dealer's monitoring. Holds no customer data. Times are RFC 3339. */
export interface HealthReport {
  /** True once the lot is built and the public server listens; false again while stopping. */
  ready: boolean;
  /** As bad as the worst of `checks`. */
  status: FindingStatus;
  /** Everything that is looked at, with what to do where it is not well. */
  checks: Finding[];
  version: string;
  versions: { program: string; node: string; sqlite: string; platform: string };
  started_at: string;
  lot: {
    vehicles: number;
    /** Grows with every change of the lot. */
    version: number;
    rooftops: RooftopHealth[];
    /** Vehicles that are kept back, as the settings have no such feed or rooftop; absent when there are none. */
    not_shown?: StrayHealth[];
  };
  feeds: {
    /** Files that wait for a person to release or discard them: how many, and which, the oldest first. */
    held_runs: number;
    held: UntakenRunHealth[];
    /** Feeds whose newest file was refused as a whole, or discarded: the lot is still that of the file before. */
    refused: UntakenRunHealth[];
    /** Ids of feeds that have brought no good file for longer than expected. */
    overdue: string[];
    /** The feeds whose files the bridge fetches. */
    sources: SourceHealth[];
    /** Inbox folders that cannot be looked into, such as a network share that is gone. */
    unreachable_folders: { feed_id: string; since: string; reason: string }[];
    /** The last good file of each feed, the feeds in the order of the settings. */
    last_good: LastGoodFile[];
  };
  /** How the door to the internet is. */
  access: {
    /** Tokens that are known, expired ones included. */
    tokens: number;
    /** Why the last good state of the token file is in use instead of the file. */
    tokens_file_fault?: string;
    /** Of the certificate, where the bridge speaks https itself. */
    tls?: CertificateStatus;
  };
  leads: {
    /** Deliveries that wait for their next attempt. */
    queued: number;
    /** Deliveries of which nobody knows whether the CRM has them. */
    uncertain: number;
    /** Deliveries that were given up. */
    dead: number;
    /** Ids of destinations that refuse us as such, such as our password: a person must look. */
    paused_destinations: string[];
    /** Ids of destinations to which leads cross a network in the clear, because the settings say so. */
    unencrypted_destinations: string[];
    /** All deliveries by their state. */
    deliveries: Readonly<Record<string, number>>;
    /** The destinations of the settings, and any other for which leads still wait. */
    destinations: DestinationHealth[];
  };
  /** Absent where changes of the settings are not watched for. */
  settings?: SettingsHealth;
  machine: MachineHealth;
  clock: ClockHealth;
  /** Absent where no backups are made. */
  backup?: BackupReport;
}

/** What the findings are made of: everything of the report but themselves. */
export type HealthFacts = Omit<HealthReport, 'status' | 'checks'>;

export interface UntakenRunHealth {
  run_id: string;
  feed_id: string;
  since: string;
  reason: string;
  /** A person has said no to it. */
  discarded?: true;
}

/** Times are absent when it never happened. */
export interface SourceHealth {
  feed_id: string;
  /** False while the last look failed. */
  ok: boolean;
  last_success?: string;
  last_failure?: { at: string; reason: string };
  next_look?: string;
}

/** Without a time when none was ever taken in. */
export interface LastGoodFile {
  feed_id: string;
  at?: string;
  age_seconds?: number;
  accepted?: number;
  rejected?: number;
}

export interface RooftopHealth {
  rooftop_id: string;
  vehicles: number;
  /** When its last good file confirmed listings, and how long ago that is; absent when never. */
  confirmed_at?: string;
  age_seconds?: number;
}

export interface StrayHealth {
  kind: 'feed' | 'rooftop';
  id: string;
  vehicles: number;
  /** When one of them was last confirmed. */
  confirmed_at: string;
}

export interface DestinationHealth {
  id: string;
  /** Leads wait for it that nobody sends: it was taken out of the settings, or renamed there. */
  not_in_settings?: true;
  /** Why it is paused. */
  paused?: string;
  /** Why the adapter could not make of the last lead what the CRM wants. */
  adapter_fault?: string;
  /** Leads that are not there yet. */
  waiting: number;
  /** The one that waits longest. */
  oldest?: { lead_id: string; since: string; age_seconds: number };
}

export interface SettingsHealth {
  in_use_since: string;
  /** Set while newer settings are not in use: since when, and why. */
  refused?: { at: string; reasons: string[] };
  /** What the last change took away, such as a destination; told for a day. */
  lost?: { at: string; what: string[] };
}

export interface ClockHealth {
  now: string;
  /** Set for a day after the clock jumped: what it said when the bridge last ran before, and then. */
  jump?: {
    kind: 'ahead' | 'back';
    from: string;
    to: string;
    /** How many seconds more the bridge must run with this clock before it is believed. */
    believed_in_seconds: number;
  };
}

export interface MachineHealth {
  /** Of the data folder; absent where the file system does not tell. */
  disk?: { free_bytes: number; total_bytes: number };
  /** How late things that were due have begun, since the last minute or two. */
  event_loop: { delay_p99_ms: number; delay_max_ms: number };
  /** Set where a database does not answer. */
  databases: { leads?: string; inventory?: string };
  log: { lost_lines: number; fault?: string };
}

export interface BackupReport {
  enabled: boolean;
  overdue: boolean;
  last_good?: { at: string; name: string; age_seconds: number };
  last_failure?: { at: string; reason: string };
  /** Of the second place. */
  copy?: { last_good?: { at: string; name: string }; last_failure?: { at: string; reason: string } };
}
