import type { Problem } from '../model/problem.ts';
import { didYouMean } from '../model/suggestion.ts';
import type { Sound, WrittenFeed } from './bridge-file.ts';
import { quote } from './problems.ts';
import type { Review } from './review.ts';

/** Companion feeds that add to a feed which is not there, to each other, or two of them the same. */
export function checkSupplements(review: Review, feed: Sound<WrittenFeed>, index: number): Problem[] {
  const { supplements } = feed;
  if (supplements === undefined) return [];
  const pointer = `/feeds/${index}`;
  const problems = (supplements.feeds ?? []).flatMap((id, place) => {
    const at = `${pointer}/supplements/feeds/${place}`;
    return id === undefined
      ? []
      : [...checkSupplemented(review, feed, id, at), ...checkOthers(review, feed, index, { id, at })];
  });
  if (feed.when_overdue === 'hide')
    problems.push(review.tell('CONFIG_SUPPLEMENT_HIDE', `${pointer}/when_overdue`));
  if (feed.rooftop === undefined && feed.price_basis === 'base_plus_fees')
    problems.push(review.tell('CONFIG_SUPPLEMENT_FEES', `${pointer}/price_basis`));
  return problems;
}

function checkSupplemented(review: Review, feed: Sound<WrittenFeed>, id: string, at: string): Problem[] {
  const feeds = review.file.feeds ?? [];
  const name = review.written(at);
  const named = feeds.find((each) => each?.id === id);
  if (named === undefined) {
    const ids = feeds.flatMap((each) => (each?.id === undefined || each === feed ? [] : [each.id]));
    return [review.tell('CONFIG_SUPPLEMENTED_UNKNOWN', at, { name, suggestion: didYouMean(id, ids) })];
  }
  if (named === feed)
    return [review.tell('CONFIG_SUPPLEMENTED_COMPANION', at, { name, reason: 'is this one itself' })];
  if (named.supplements === undefined) return [];
  const reason = 'is a companion feed, too, and has no vehicles';
  return [review.tell('CONFIG_SUPPLEMENTED_COMPANION', at, { name, reason })];
}

/** Earlier companion feeds that own the same of the same feed. */
function checkOthers(
  review: Review,
  feed: Sound<WrittenFeed>,
  index: number,
  { id, at }: { id: string; at: string },
): Problem[] {
  const earlier = (review.file.feeds ?? []).slice(0, index);
  return (feed.supplements?.fields ?? []).flatMap((field, place) => {
    const other = earlier.find(
      (each) =>
        field !== undefined &&
        each?.supplements?.feeds?.includes(id) === true &&
        each.supplements.fields?.includes(field) === true,
    );
    if (other === undefined) return [];
    const facts = { field: field ?? '', name: review.written(at), other: quote(other.id ?? '') };
    return [review.tell('CONFIG_SUPPLEMENT_TWICE', `/feeds/${index}/supplements/fields/${place}`, facts)];
  });
}
