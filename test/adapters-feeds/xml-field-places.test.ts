import { expect, test } from 'vitest';
import { FieldPlaces, NOWHERE } from '../../adapters/feeds/xml/field-places.ts';

/** Columns 2, 0, a CDATA section of 2, and 5. Start and end play no part. */
const ONE = [2, 0, 0, 0, 0, 0, ~2, 0, 0, 5, 0, 0];
const OTHER = [5, 0, 0];

function placesOf(places: FieldPlaces, column: number): number[] {
  const found: number[] = [];
  for (let place = places.first(column); place !== NOWHERE; place = places.next(place)) found.push(place);
  return found;
}

test('finds the texts of a column in their order, CDATA sections among them', () => {
  const places = new FieldPlaces();
  places.turnTo(ONE);
  expect([0, 1, 2, 5].map((column) => placesOf(places, column))).toEqual([[1], [], [0, 2], [3]]);
  expect(places.columns()).toEqual([2, 0, 5]);
});

test('forgets the record before, and finds it again when it is asked for once more', () => {
  const places = new FieldPlaces();
  for (const _ of [1, 2]) {
    places.turnTo(ONE);
    expect(placesOf(places, 2)).toEqual([0, 2]);
    places.turnTo(OTHER);
    expect([0, 2, 5].map((column) => placesOf(places, column))).toEqual([[], [], [0]]);
    expect(places.columns()).toEqual([5]);
  }
});
