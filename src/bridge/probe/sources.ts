import type { Config } from '../../config/config.ts';
import { placeOf, reasonOf } from '../../feeds/sources/source-words.ts';
import { trySource } from '../../feeds/sources/try-source.ts';
import type { Finding } from '../../model/finding.ts';
import type { ServerTimes } from './way-finding.ts';
import { PROBE_LIMIT_MS, within } from './within.ts';

/** The servers that feeds are fetched from: login, folder, and whether a file lies there. Nothing is fetched. */
export async function sourceFindings({ feeds }: Config, times: ServerTimes): Promise<Finding[]> {
  const found = await Promise.all(
    feeds.map(async (feed): Promise<Finding[]> => {
      const { id, source, files } = feed;
      if (source === undefined) return [];
      const key = `source:${id}`;
      const name = `The source of feed ${id} (${placeOf(source)})`;
      return within(key, name, async () => {
        try {
          const { offered, serverTime = '' } = await trySource(feed, source, PROBE_LIMIT_MS / 2);
          const time = Date.parse(serverTime);
          if (source.kind === 'http' && !Number.isNaN(time))
            times.push({ name: new URL(source.url).host, time });
          if (offered > 0) return [{ key, status: 'ok', text: `${name} has files for it.` }];
          const remedy = 'Compare files with the names of the export, and folder with where it is put.';
          return [{ key, status: 'warn', text: `${name} has no file whose name matches ${files}.`, remedy }];
        } catch (fault) {
          const text = `${name}: ${reasonOf(fault, source)}.`;
          const remedy = `Mend what it says, then try: dealer-bridge feed fetch ${id}`;
          return [{ key, status: 'fail', text, remedy }];
        }
      });
    }),
  );
  return found.flat();
}
