import { describe, expect, it } from 'vitest';
import { nameKey, unfitName } from '../../src/files/portable-name.ts';

describe('names that not every system keeps', () => {
  it.each(['CON', 'nul.csv', 'Com1.xml', 'LPT9', 'aux.tar.gz', 'COM¹.txt', 'con .txt', 'CONIN$', 'prn'])(
    '%s is a device',
    (name) => expect(unfitName(name)).toBe('Windows has a device of that name'),
  );

  it.each(['a:b', 'C:\\x', 'a/b', 'what?', 'a*', '"a"', 'a<b', 'a|b', 'end.', 'end ', 'tab\tin'])(
    '%j has what Windows forbids',
    (name) => expect(unfitName(name)).toMatch(/^it holds a character that Windows allows in no name/),
  );

  it.each(['', '.', '..'])('%j names no file', (name) => expect(unfitName(name)).toBe('it names no file'));

  it.each(['ü'.repeat(128), 'x'.repeat(256)])('%s is too long', (name) =>
    expect(unfitName(name)).toBe('it is longer than 255 bytes'),
  );

  it.each(['export.csv', '.hidden', 'console.log', 'com10', 'com', 'a b.xml', 'Käse', 'x'.repeat(255)])(
    '%s is kept by all',
    (name) => expect(unfitName(name)).toBeUndefined(),
  );
});

it('one key for what Windows takes for one file', () => {
  expect(nameKey('Export.CSV')).toBe(nameKey('export.csv'));
  expect(nameKey('Stra\u00dfe'.normalize('NFD'))).toBe(nameKey('Stra\u00dfe'));
  expect(nameKey('u\u0308.csv')).toBe(nameKey('\u00dc.csv'));
  expect(nameKey('list. .')).toBe(nameKey('LIST'));
  expect(nameKey('a.csv')).not.toBe(nameKey('b.csv'));
});
