import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findString, packStrings } from '../../../src/inventory/lot/packed-strings.ts';
import { collectRows, rowSetWords } from '../../../src/inventory/lot/row-set.ts';
import { sortStrings } from '../../../src/inventory/lot/sort-strings.ts';
import { addRowsWith, indexKeys } from '../../../src/inventory/lot/text-index.ts';

const ofFewCharacters = fc.string({ unit: fc.constantFrom('a', 'b', '-', '\0', 'é', 'ÿ'), maxLength: 6 });
const keys = {
  short: ofFewCharacters,
  long: fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 30, maxLength: 40 }),
  'beyond bytes': fc.string({ unit: fc.constantFrom('a', '\u0100', '\uffff', '🚗'), maxLength: 5 }),
};

test.each(Object.entries(keys))('strings are sorted as JavaScript sorts them: %s', (_, key) => {
  fc.assert(
    fc.property(fc.array(fc.oneof(ofFewCharacters, key), { maxLength: 60 }), (texts) => {
      const numbers = [...sortStrings(packStrings(texts))];
      expect(numbers.map((number) => texts[number])).toEqual(texts.toSorted());
      // Equal ones keep their order.
      for (const [place, number] of numbers.entries()) {
        const before = numbers[place - 1];
        if (before !== undefined && texts[before] === texts[number]) expect(before).toBeLessThan(number);
      }
    }),
  );
});

test('packed strings take a byte a unit unless one of them needs two', () => {
  expect(packStrings(['ab', 'ÿ']).units).toEqual(Uint8Array.of(97, 98, 255));
  const wide = packStrings(['a', 'Ā']);
  expect(wide.units).toEqual(Uint16Array.of(97, 256));
  expect(findString(wide, 'Ā')).toBe(1);
  expect(findString(packStrings(['a']), 'Ā')).toBe(-1);
  expect(findString(packStrings(['\0']), 'Ā')).toBe(-1);
});

test('keys are indexed once each, folded; rows without one are in none', () => {
  const column = indexKeys(['B2', ' ', 'a1', 'b2 ', '', 'A1']);
  expect(column.keys).toEqual(['a1', 'b2']);
  expect([...column.placeOfRow]).toEqual([1, 2, 0, 1, 2, 0]);
  const rows = new Uint32Array(6);
  const set = new Uint32Array(rowSetWords(6));
  addRowsWith(column.index, 'b2', set);
  expect([...rows.subarray(0, collectRows(set, rows, 6, false))]).toEqual([0, 3]);
});

test('a lot on which nothing has a key has an index of none', () => {
  expect([...indexKeys(['', ' ']).placeOfRow]).toEqual([0, 0]);
  expect(indexKeys([]).keys).toEqual([]);
});
