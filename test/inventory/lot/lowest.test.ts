import { expect, test } from 'vitest';
import { lowest } from '../../../src/inventory/lot/lowest.ts';

/** In no order, each twice. */
const numbers = (count: number): Float64Array =>
  Float64Array.from({ length: count }, (_, index) => (index * 7_919) % Math.ceil(count / 2));

test.each([
  [0, 5],
  [1, 1],
  [5, 20],
  [100, 1],
  [1000, 0],
  [1000, 20],
  [1000, 124],
  [1000, 126],
  [1000, 1000],
])('of %i numbers the lowest %i come in order, equal ones as often as they are there', (count, wanted) => {
  const sorted = [...numbers(count)].sort((a, b) => a - b);
  expect([...lowest(numbers(count), wanted)]).toEqual(sorted.slice(0, wanted));
});
