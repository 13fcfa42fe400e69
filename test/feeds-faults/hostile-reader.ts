import { mkdir, rename } from 'node:fs/promises';
import path from 'node:path';
import type { FeedLimits } from '../../src/config/config.ts';
import { DEFAULT_FEED_LIMITS } from '../../src/feeds/limits.ts';
import { ingestFile } from '../../src/feeds/ingest.ts';
import { Dealership } from '../feeds-intake/dealership.ts';

/**
 * A process of its own that takes one file in, so that its memory can be bounded from outside:
 * `node hostile-reader.ts FILE PROFILE LIMITS`. Prints status, code and remedy as JSON.
 */
const [file = '', profile = '', limits = '{}'] = process.argv.slice(2);
const dealership = await Dealership.open();
const changed = JSON.parse(limits) as Partial<FeedLimits>;
const feed = dealership.feed(profile, { limits: { ...DEFAULT_FEED_LIMITS, ...changed } });
await mkdir(feed.folder, { recursive: true });
const dropped = path.join(feed.folder, path.basename(file));
await rename(file, dropped);
const report = await ingestFile(dropped, feed, dealership.services());
process.stdout.write(JSON.stringify({ status: report?.status, ...report?.problem }));
await dealership.close();
