import { WEEKDAYS } from '../model/rooftop.ts';
import type { Problem } from '../model/problem.ts';
import { didYouMean } from '../model/suggestion.ts';
import type { Sound, WrittenRooftop } from './bridge-file.ts';
import { quote } from './problems.ts';
import type { Review } from './review.ts';
import { findTwins, namesOf, type Named } from './twins.ts';

const ROOFTOPS = '/dealer/rooftops';

/** Rooftops that can not be told apart, and hours, time zones and fees that can not be true. */
export function checkDealer(review: Review): Problem[] {
  const rooftops = review.file.dealer?.rooftops ?? [];
  return [
    ...findTwins(namesOf(rooftops, 'id', ROOFTOPS)).map(({ entry, earlier }) =>
      review.tell('CONFIG_ID_TWICE', entry.pointer, {
        id: review.written(entry.pointer),
        other: pathOf(review, earlier),
      }),
    ),
    ...findTwins(namesOf(rooftops, 'name', ROOFTOPS)).map(({ entry, earlier }) =>
      review.tell('CONFIG_ROOFTOP_NAME_TWICE', entry.pointer, {
        name: review.written(entry.pointer),
        other: pathOf(review, earlier),
      }),
    ),
    ...checkFeedIds(review, rooftops),
    ...rooftops.flatMap((rooftop, index) =>
      rooftop === undefined ? [] : checkRooftop(review, rooftop, `${ROOFTOPS}/${index}`),
    ),
  ];
}

function pathOf(review: Review, { pointer }: Named): string {
  return review.place(pointer).path ?? '';
}

/** A name in a file must lead to one rooftop; files are read without regard to case and blanks. */
function checkFeedIds(review: Review, rooftops: readonly (Sound<WrittenRooftop> | undefined)[]): Problem[] {
  const owners = new Map<string, number>();
  const normalise = (name: string): string => name.toLowerCase().replace(/\s+/g, '');
  for (const [index, rooftop] of rooftops.entries()) {
    const id = normalise(rooftop?.id ?? '');
    if (id !== '' && !owners.has(id)) owners.set(id, index);
  }
  const problems: Problem[] = [];
  for (const [index, rooftop] of rooftops.entries()) {
    for (const [position, feedId] of (rooftop?.feed_ids ?? []).entries()) {
      if (feedId === undefined) continue;
      const owner = owners.get(normalise(feedId)) ?? index;
      owners.set(normalise(feedId), owner);
      if (owner === index) continue;
      const pointer = `${ROOFTOPS}/${index}/feed_ids/${position}`;
      const other = review.place(`${ROOFTOPS}/${owner}`).path ?? '';
      problems.push(review.tell('CONFIG_FEED_ID_TWICE', pointer, { name: review.written(pointer), other }));
    }
  }
  return problems;
}

function checkRooftop(review: Review, rooftop: Sound<WrittenRooftop>, pointer: string): Problem[] {
  const problems: Problem[] = [];
  const { timezone } = rooftop;
  if (timezone !== undefined && !isTimeZone(timezone)) {
    const at = `${pointer}/timezone`;
    const suggestion = didYouMean(timezone, Intl.supportedValuesOf('timeZone'));
    problems.push(review.tell('CONFIG_TIMEZONE_UNKNOWN', at, { name: review.written(at), suggestion }));
  }
  for (const { entry } of findTwins(namesOf(rooftop.fees, 'name', `${pointer}/fees`))) {
    problems.push(review.tell('CONFIG_FEE_TWICE', entry.pointer, { name: review.written(entry.pointer) }));
  }
  for (const [index, schedule] of (rooftop.schedules ?? []).entries()) {
    for (const day of WEEKDAYS) {
      const { open, close } = schedule?.value?.[day] ?? {};
      // Closing at 00:00 means midnight.
      if (open === undefined || close === undefined || open < close || close === '00:00') continue;
      const facts = { open: quote(open), close: quote(close) };
      problems.push(
        review.tell('CONFIG_HOURS_REVERSED', `${pointer}/schedules/${index}/value/${day}`, facts),
      );
    }
  }
  return problems;
}

function isTimeZone(name: string): boolean {
  // Intl takes offsets such as +05:00 too, which know no summer time.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
