import { isNamed } from './named.ts';
import { normaliseWord } from './vocabulary.ts';

/** Whether two names are of two things: not when one is missing, is written another way, or is the other's beginning. */
export function isCalledOtherwise(one: string | undefined, other: string | undefined): boolean {
  if (!isNamed(one) || !isNamed(other)) return false;
  const [left, right] = [normaliseWord(one), normaliseWord(other)];
  return !left.includes(right) && !right.includes(left);
}

/** Whether two numbers of a vehicle (VIN, stock number) are two. */
export function isOtherNumber(one: string | undefined, other: string | undefined): boolean {
  return isNamed(one) && isNamed(other) && normaliseWord(one) !== normaliseWord(other);
}
