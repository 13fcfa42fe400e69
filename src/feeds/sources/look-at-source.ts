import type { FeedConfig, SourceConfig } from '../../config/config.ts';
import { DEFAULT_SOURCE_LIMITS, limitsOf, type SourceLimits } from '../limits.ts';
import { Landing, type LandingServices } from './landing.ts';
import type { Findings, Look } from './look.ts';
import { SourceFault } from './source-fault.ts';
import { SourceMemory, type ReadingRule } from './source-memory.ts';

export interface SourceServices extends LandingServices {
  limits?: SourceLimits;
  /** Fetches also what has not changed since it was fetched last. */
  again?: boolean;
  /** How the feed's rows are read now: what was fetched when they were read in another way counts as new. */
  readingRule?: (feed: FeedConfig) => Promise<ReadingRule | undefined>;
}

/**
 * One look at a feed's source: what is new there lands in the feed's folder. Throws a SourceFault, or what a
 * connection or a disk threw; the inbox has whole files only, in any case.
 */
export async function lookAtSource(
  feed: FeedConfig,
  source: SourceConfig,
  services: SourceServices,
  stop: AbortSignal,
): Promise<Findings> {
  const { dataFolder, limits = sourceLimits(feed), again = false } = services;
  const rule = await services.readingRule?.(feed);
  const timeUp = AbortSignal.timeout(limits.lookMs);
  const look: Look = {
    feed,
    limits,
    landing: new Landing(feed, limits, services),
    memory: await SourceMemory.open(dataFolder, feed.id, source, { isBlank: again, rule }),
    signal: AbortSignal.any([stop, timeUp]),
  };
  try {
    return await lookAtKind(source, look);
  } catch (fault) {
    if (!timeUp.aborted) throw fault;
    const seconds = Math.round(limits.lookMs / 1000);
    throw new SourceFault(`not done within ${seconds} seconds`, { cause: fault });
  }
}

/** What would be refused for its size need not be fetched. */
function sourceLimits(feed: FeedConfig): SourceLimits {
  return { ...DEFAULT_SOURCE_LIMITS, maxFileBytes: limitsOf(feed).unpack.maxFileBytes };
}

const HOUR_MS = 3_600_000;

/**
 * Whether the feed has come: a file landed, or the one that is here already still stands at the source. One that
 * is older than the feed allows would be refused if it were fetched, so it counts as none.
 */
export function hasCome(
  { landed, unchanged }: Findings,
  { max_age_hours: limit = Infinity }: FeedConfig,
  now: number,
): boolean {
  if (landed.length > 0) return true;
  return unchanged !== undefined && now - (unchanged.modified_at ?? now) <= limit * HOUR_MS;
}

/** Each kind brings a library of its own along, of which most dealers use one at most. */
async function lookAtKind(source: SourceConfig, look: Look): Promise<Findings> {
  switch (source.kind) {
    case 'http':
      return (await import('./http-source.ts')).lookAtHttp(source, look);
    case 'sftp':
      return (await import('./sftp-source.ts')).lookAtSftp(source, look);
    case 'ftp':
      return (await import('./ftp-source.ts')).lookAtFtp(source, look);
  }
}
