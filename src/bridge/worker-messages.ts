import type { FeedConfig } from '../config/config.ts';
import type { UnreachableInbox } from '../feeds/inbox/feed-inbox.ts';
import type { LotData } from '../inventory/lot/lot-data.ts';
import type { Rooftop } from '../model/rooftop.ts';
import type { FinishedRun } from './activity.ts';
import type { StrayVehicles } from './stray-vehicles.ts';

/** What the main thread hands to the worker first, and when it changes: plain data only, so that it can be cloned. */
export interface WorkerSettings {
  dataFolder: string;
  rooftops: Rooftop[];
  feeds: FeedConfig[];
  /**
   * Set: profiles and vocabularies are read once and kept until other settings come, instead of with each file. It
   * changes with their text, so that a profile that was changed and accepted is read.
   */
  profilesAsOf?: string;
}

export type ToWorker = { kind: 'settings'; settings: WorkerSettings } | { kind: 'stop' };

export type FromWorker =
  /** A new lot; its buffers are transferred, not copied. */
  | { kind: 'lot'; data: LotData }
  /** Everything that lay in the inboxes at start has been taken in or refused. */
  | { kind: 'ready' }
  /** The feeds that are overdue from now on; told again whenever that changes. */
  | { kind: 'overdue'; feedIds: string[] }
  /** Vehicles that are kept and not shown from now on; told again whenever that changes. */
  | { kind: 'strays'; strays: StrayVehicles[] }
  /** A file has been taken in, held or refused. */
  | { kind: 'run'; run: FinishedRun }
  /** The inbox folders that cannot be looked into from now on; told again whenever that changes. */
  | { kind: 'unreachable'; inboxes: UnreachableInbox[] }
  | { kind: 'log'; level: 'debug' | 'info' | 'warn' | 'error'; facts: object; message: string };
