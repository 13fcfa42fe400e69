import type { FeedConfig } from '../../config/config.ts';
import type { SourceLimits } from '../limits.ts';
import type { Landing } from './landing.ts';
import type { SourceMemory } from './source-memory.ts';

/** What one look at a source works with. */
export interface Look {
  feed: FeedConfig;
  landing: Landing;
  memory: SourceMemory;
  limits: SourceLimits;
  /** Ends the look, by the stop of the bridge or when its time is up. */
  signal: AbortSignal;
}
