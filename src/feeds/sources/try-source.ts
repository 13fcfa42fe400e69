import type { FeedConfig, SourceConfig } from '../../config/config.ts';
import { DEFAULT_SOURCE_LIMITS } from '../limits.ts';
import { interestOf, readyFiles } from './fetch-from-folder.ts';
import type { RemoteFolder } from './remote-folder.ts';

/** What a source is found to be like; nothing of it was fetched. */
export interface TriedSource {
  /** Files of the feed that lie there now. */
  offered: number;
  /** What the server calls the time, as it writes it. */
  serverTime?: string;
}

/** Goes to a feed's source and looks whether files could be fetched. Throws what `lookAtSource` would. */
export async function trySource(
  feed: FeedConfig,
  source: SourceConfig,
  timeoutMs: number,
): Promise<TriedSource> {
  const limits = { ...DEFAULT_SOURCE_LIMITS, connectMs: timeoutMs, quietMs: timeoutMs };
  const look = { limits, signal: AbortSignal.timeout(timeoutMs) };
  const count = async (folder: RemoteFolder): Promise<TriedSource> => ({
    offered: readyFiles(await folder.list(interestOf(feed)), feed).length,
  });
  switch (source.kind) {
    case 'http': {
      const serverTime = await (await import('./http-source.ts')).tryHttp(source, look);
      return { offered: 1, ...(serverTime === undefined ? {} : { serverTime }) };
    }
    case 'sftp':
      return (await import('./sftp-source.ts')).inSftpFolder(source, look, count);
    case 'ftp':
      return (await import('./ftp-source.ts')).inFtpFolder(source, look, count);
  }
}
