import type { Problem } from '../model/problem.ts';
import { didYouMean } from '../model/suggestion.ts';
import type { Review } from './review.ts';

/** A place that names a rooftop must name one that is there. */
export function checkRooftopReference(review: Review, id: string, pointer: string): Problem[] {
  // Without any rooftop that fault alone is told.
  if (review.rooftopIds.size === 0 || review.rooftopIds.has(id)) return [];
  const suggestion = didYouMean(id, review.rooftopIds.keys());
  return [review.tell('CONFIG_ROOFTOP_UNKNOWN', pointer, { name: review.written(pointer), suggestion })];
}
