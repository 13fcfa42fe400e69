import type { FeedConfig } from '../../config/config.ts';
import type { SourceLimits } from '../limits.ts';
import type { Landing } from './landing.ts';
import type { FetchedFile, SourceMemory } from './source-memory.ts';

/** What one look at a source works with. */
export interface Look {
  feed: FeedConfig;
  landing: Landing;
  memory: SourceMemory;
  limits: SourceLimits;
  /** Ends the look, by the stop of the bridge or when its time is up. */
  signal: AbortSignal;
}

/** What a look that went well found. */
export interface Findings {
  /** Names under which files landed in the feed's folder. */
  landed: string[];
  /** Files of the feed that the source has, new or not. */
  offered: number;
  /** Of these, the one fetched last, where it is still the newest: nothing new, and nothing missing either. */
  unchanged?: FetchedFile;
  /** The name of a file of which an earlier one still lies in the feed's folder: it has to wait. */
  waits?: string;
}
