import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { FeedConfig } from '../../config/config.ts';
import { visibleText } from '../reporting/visible-text.ts';
import type { RunReport } from '../reporting/report.ts';
import type { IngestServices } from '../ingest-services.ts';
import { stampedAt, unstampedName } from './file-name.ts';
import { errorCode } from '../../files/patience.ts';
import { moveFile } from './move-file.ts';
import { placesOf } from './places.ts';
import { removeReports, REPORT_ENDINGS } from './report-files.ts';

/** An uploader that pauses for longer than that has given up. */
const LATE_WRITES_MS = 15 * 60_000;

/**
 * An uploader that only paused goes on writing into the file, wherever it has been moved to: then half of it was
 * taken in. Such a file goes back to the inbox, to be taken in whole; its reports, which speak of the half, go.
 */
export async function takeBackGrownFiles(
  feed: FeedConfig,
  { dataFolder, clock, log }: Pick<IngestServices, 'dataFolder' | 'clock' | 'log'>,
): Promise<void> {
  const { done, failed, held } = placesOf(dataFolder, feed.id);
  for (const folder of [done, failed, held]) {
    for (const name of await recentNames(folder, clock.now())) {
      const file = path.join(folder, name);
      if (!(await hasGrown(file)) || !(await moveBack(file, path.join(feed.folder, unstampedName(name)))))
        continue;
      await removeReports(file);
      log.warn(
        { feed: feed.id, file: visibleText(name) },
        'file grew after it was taken in; it is taken in again',
      );
    }
  }
}

/** Files of which a report tells, and that were claimed not long ago. */
async function recentNames(folder: string, now: number): Promise<string[]> {
  const names = new Set(await readdir(folder).catch(() => []));
  return [...names].filter((name) => {
    const at = stampedAt(name);
    return at !== undefined && now - at < LATE_WRITES_MS && names.has(`${name}${REPORT_ENDINGS.json}`);
  });
}

async function hasGrown(file: string): Promise<boolean> {
  try {
    const { file: read } = JSON.parse(await readFile(`${file}${REPORT_ENDINGS.json}`, 'utf8')) as RunReport;
    // Without a fingerprint it was never read: its size is not known.
    if (read.fingerprint === '') return false;
    const { size, mtimeMs } = await stat(file);
    // One whose room was made first does not grow when it is filled, but its time moves. Reports count in seconds.
    return size > read.size || mtimeMs >= Date.parse(read.modifiedAt) + 1000;
  } catch {
    return false;
  }
}

/** False when a newer file has taken the name, or while the uploader holds the file (Windows). */
async function moveBack(file: string, origin: string): Promise<boolean> {
  try {
    await stat(origin);
    return false;
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') return false;
  }
  return moveFile(file, origin).then(
    () => true,
    () => false,
  );
}
