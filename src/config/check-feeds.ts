import { resolve } from 'node:path';
import type { Problem } from '../model/problem.ts';
import { didYouMean } from '../model/suggestion.ts';
import type { Sound, WrittenFeed } from './bridge-file.ts';
import { isFile, isProfilePath, profileNames, profilePath } from './profiles.ts';
import { feedFolder, type Review } from './review.ts';
import { checkSource } from './check-source.ts';
import { checkSupplements } from './check-supplements.ts';
import { checkRooftopReference } from './rooftop-reference.ts';
import { findTwins, namesOf } from './twins.ts';

const FEEDS = '/feeds';

/** Feeds that point at something that is not there, or stand in each other's way. */
export async function checkFeeds(review: Review): Promise<Problem[]> {
  const feeds = review.file.feeds ?? [];
  const problems = findTwins(namesOf(feeds, 'id', FEEDS)).map(({ entry, earlier }) =>
    review.tell('CONFIG_ID_TWICE', entry.pointer, {
      id: review.written(entry.pointer),
      other: review.place(earlier.pointer).path ?? '',
    }),
  );
  problems.push(...checkFolders(review, feeds));
  const profiles = await profileNames(review.folders);
  for (const [index, feed] of feeds.entries()) {
    if (feed === undefined) continue;
    const pointer = `${FEEDS}/${index}`;
    problems.push(...(await checkProfile(review, feed, pointer, profiles)));
    problems.push(...checkRooftop(review, feed, pointer));
    problems.push(...(await checkSample(review, feed, pointer)));
    problems.push(...checkSource(review, feed.source, `${pointer}/source`));
    problems.push(...checkSupplements(review, feed, index));
  }
  return problems;
}

async function checkProfile(
  review: Review,
  feed: Sound<WrittenFeed>,
  pointer: string,
  names: readonly string[],
): Promise<Problem[]> {
  const { profile } = feed;
  if (profile === undefined) return [];
  const at = `${pointer}/profile`;
  const name = review.written(at);
  if (isProfilePath(profile)) {
    const isThere = await isFile(profilePath(profile, review.folders));
    return isThere ? [] : [review.tell('CONFIG_PROFILE_FILE', at, { name })];
  }
  if (names.includes(profile)) return [];
  return [review.tell('CONFIG_PROFILE_UNKNOWN', at, { name, suggestion: didYouMean(profile, names) })];
}

function checkRooftop(review: Review, feed: Sound<WrittenFeed>, pointer: string): Problem[] {
  const { rooftop } = feed;
  if (rooftop === undefined) return [];
  const isFixed = typeof rooftop === 'string';
  const id = isFixed ? rooftop : rooftop.otherwise;
  if (id === undefined) return [];
  const at = isFixed ? `${pointer}/rooftop` : `${pointer}/rooftop/otherwise`;
  const unknown = checkRooftopReference(review, id, at);
  if (unknown.length > 0) return unknown;
  return isFixed && feed.price_basis === 'base_plus_fees' ? checkFees(review, id, pointer) : [];
}

/** Adding fees that were never disclosed would publish a price that nobody stands for (aap-v1.3 section 4). */
function checkFees(review: Review, rooftopId: string, pointer: string): Problem[] {
  const index = review.rooftopIds.get(rooftopId) ?? 0;
  // Judged by what is written: a fee list with a fault of its own is already told.
  const isDisclosed = review.isWritten(`/dealer/rooftops/${index}/fees`);
  if (isDisclosed) return [];
  const facts = { name: review.written(`${pointer}/rooftop`) };
  return [review.tell('CONFIG_FEES_NOT_DISCLOSED', `${pointer}/price_basis`, facts)];
}

async function checkSample(review: Review, feed: Sound<WrittenFeed>, pointer: string): Promise<Problem[]> {
  if (feed.sample === undefined) return [];
  if (await isFile(resolve(review.folders.config, feed.sample))) return [];
  const at = `${pointer}/sample`;
  return [review.tell('CONFIG_SAMPLE_MISSING', at, { name: review.written(at) })];
}

function checkFolders(review: Review, feeds: readonly (Sound<WrittenFeed> | undefined)[]): Problem[] {
  const folders = feeds.flatMap((feed, index) => {
    const { id, folder } = feed ?? {};
    if (id === undefined) return [];
    const name = comparable(feedFolder({ id, folder }, review.folders));
    return [{ name, pointer: `${FEEDS}/${index}/folder` }];
  });
  return findTwins(folders).flatMap(({ entry, earlier }) => {
    const [mine, other] = [entry, earlier].map(({ pointer }) => pointer.replace(/folder$/, 'id'));
    const id = review.written(mine ?? '');
    // Two feeds of one id share their folder for that reason alone, and the id is already told.
    if (id === review.written(other ?? '')) return [];
    return [review.tell('CONFIG_FOLDER_SHARED', entry.pointer, { other: review.written(other ?? '') })];
  });
}

/** Windows and macOS take Inbox and inbox for the same folder. */
function comparable(folder: string): string {
  return process.platform === 'linux' ? folder : folder.toLowerCase();
}
