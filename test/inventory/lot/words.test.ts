import { expect, test } from 'vitest';
import { fold } from '../../../src/inventory/lot/fold.ts';
import { chunkWords, nameWords, queryWords } from '../../../src/inventory/lot/words.ts';

test.each([
  ['  Citroën  C3 ', 'citroen c3'],
  ['Crew\u00a0\t Cab', 'crew cab'],
  ['İSTANBUL', 'istanbul'],
  ['Ｆ－150', 'f-150'],
  ['', ''],
])('%j is compared as %j', (text, folded) => expect(fold(text)).toBe(folded));

test('a compound gives its pieces, neighbours and the whole', () => {
  expect(new Set(chunkWords('f-150'))).toEqual(new Set(['f', '150', 'f150']));
  expect(new Set(chunkWords('a/b-c'))).toEqual(new Set(['a', 'b', 'c', 'ab', 'bc', 'abc']));
  expect(chunkWords('xlt,')).toEqual(['xlt']);
  expect(chunkWords('—')).toEqual([]);
});

test('a name is a compound across its blanks', () => {
  expect(new Set(nameWords('model 3'))).toEqual(new Set(['model', '3', 'model3']));
  expect(new Set(nameWords('mx-5 miata'))).toEqual(new Set(['mx', '5', 'mx5', 'miata', '5miata']));
});

test('a query keeps only what has a letter or digit', () => {
  expect(queryWords(' <$40,000 & "F-150"!')).toEqual(['40', '000', 'f', '150']);
  expect(queryWords('— ?! *')).toEqual([]);
});
