import type { FeedConfig, SourceConfig } from '../../config/config.ts';
import type { Clock } from '../../model/clock.ts';
import { DEFAULT_SOURCE_LIMITS, type SourceLimits } from '../limits.ts';
import { lookAtFtp } from './ftp-source.ts';
import { lookAtHttp } from './http-source.ts';
import { Landing } from './landing.ts';
import type { Look } from './look.ts';
import { lookAtSftp } from './sftp-source.ts';
import { SourceFault } from './source-fault.ts';
import { SourceMemory } from './source-memory.ts';

export interface SourceServices {
  /** Absolute. */
  dataFolder: string;
  clock: Clock;
  limits?: SourceLimits;
}

/**
 * One look at a feed's source: what is new there lands in the feed's folder. Returns the names under which files
 * landed. Throws a SourceFault, or what a connection or a disk threw; the inbox has whole files only, in any case.
 */
export async function lookAtSource(
  feed: FeedConfig,
  source: SourceConfig,
  services: SourceServices,
  stop: AbortSignal,
): Promise<string[]> {
  const { dataFolder, clock, limits = DEFAULT_SOURCE_LIMITS } = services;
  const timeUp = AbortSignal.timeout(limits.lookMs);
  const look: Look = {
    feed,
    limits,
    landing: new Landing(feed, dataFolder, limits, clock),
    memory: await SourceMemory.open(dataFolder, feed.id, source),
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

function lookAtKind(source: SourceConfig, look: Look): Promise<string[]> {
  switch (source.kind) {
    case 'http':
      return lookAtHttp(source, look);
    case 'sftp':
      return lookAtSftp(source, look);
    case 'ftp':
      return lookAtFtp(source, look);
  }
}
