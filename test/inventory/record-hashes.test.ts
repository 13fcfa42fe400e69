import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { RecordHashes } from '../../src/inventory/record-hashes.ts';

function hashOf(record: string): Uint8Array {
  return hash('sha1', record, 'buffer').subarray(0, 16);
}

test('finds every one of many, and nothing else', () => {
  const records = Array.from({ length: 5_000 }, (_, index): [Uint8Array, number] => [
    hashOf(`record ${index}`),
    index + 1,
  ]);
  const hashes = new RecordHashes(records);
  expect(records.map(([record]) => hashes.find(record))).toEqual(records.map(([, rowId]) => rowId));
  expect(hashes.find(hashOf('record 5000'))).toBeUndefined();
});

test('tells records apart that differ in one byte of the hash, the last one too', () => {
  const known = hashOf('a');
  const hashes = new RecordHashes([[known, 7]]);
  for (let byte = 0; byte < known.length; byte++) {
    const other = Uint8Array.from(known);
    other[byte] = (other[byte] ?? 0) ^ 1;
    expect(hashes.find(other)).toBeUndefined();
  }
  expect(hashes.find(known)).toBe(7);
});

test('knows neither of two vehicles that came from the same record', () => {
  const hashes = new RecordHashes([
    [hashOf('twin'), 1],
    [hashOf('twin'), 2],
    [hashOf('other'), 3],
  ]);
  expect(hashes.find(hashOf('twin'))).toBeUndefined();
  expect(hashes.find(hashOf('other'))).toBe(3);
});

test('passes over hashes of another length', () => {
  const hashes = new RecordHashes([[new Uint8Array(4), 1]]);
  expect(hashes.find(new Uint8Array(4))).toBeUndefined();
});

test('takes many hashes out of one text, each with its row id', () => {
  const lists = [
    {
      hashes: ['a', 'b'].map((record) => Buffer.from(hashOf(record)).toString('hex')).join(''),
      rowIds: '[3,1]',
    },
    { hashes: Buffer.from(hashOf('c')).toString('hex'), rowIds: '[9]' },
  ];
  const hashes = RecordHashes.fromLists(lists);
  expect(['a', 'b', 'c', 'd'].map((record) => hashes.find(hashOf(record)))).toEqual([3, 1, 9, undefined]);
});
