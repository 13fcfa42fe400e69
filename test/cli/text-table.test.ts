import { describe, expect, it } from 'vitest';
import { textTable, wrapWords } from '../../src/cli/text-table.ts';

const COLUMNS = [{ title: 'Model' }, { title: 'Miles', align: 'right' as const }];

describe('a table of texts from outside', () => {
  it('aligns its columns', () => {
    expect(
      textTable(COLUMNS, [
        ['Civic', '22,150'],
        ['CR-V', '9'],
      ]),
    ).toBe('Model   Miles\nCivic  22,150\nCR-V        9');
  });

  it('makes each cell one line without anything that moves the cursor', () => {
    const cell = 'Ci\u001b[2Jvic\r\nDROP\u202etext';
    expect(textTable(COLUMNS, [[cell, '1']])).toBe('Model                Miles\nCi?[2Jvic DROP?text      1');
  });

  it('cuts the widest column where the line would be longer than the terminal is wide', () => {
    const table = textTable(COLUMNS, [['A very long name of a model', '22,150']], 24);
    expect(table.split('\n')).toEqual(['Model              Miles', 'A very long nam…  22,150']);
  });

  it('leaves dispensable columns out first, and never cuts one that must stay whole', () => {
    const columns = [
      { title: 'VIN', whole: true },
      { title: 'Model' },
      { title: 'Rooftop', dispensable: 2 },
      { title: 'Trim', dispensable: 1 },
    ];
    const rows = [['1HGCY2F57RA000001', 'Civic Hatchback', 'Harbor', 'EX']];
    expect(textTable(columns, rows, 40).split('\n')[1]).toBe('1HGCY2F57RA000001  Civic Hatchback  EX');
    expect(textTable(columns, rows, 30).split('\n')[1]).toBe('1HGCY2F57RA000001  Civic Hatc…');
  });

  it('counts wide characters as two and never cuts one in half', () => {
    expect(
      textTable(COLUMNS, [
        ['日本', '1'],
        ['é👍🏽', '2'],
      ]),
    ).toBe('Model  Miles\n日本       1\né👍🏽        2');
    expect(textTable([{ title: 'Name' }], [['日本語日本語日本語']], 10)).toBe('Name\n日本語日…');
  });

  it('wraps words to a width', () => {
    expect(wrapWords(['Honda (12),', 'Toyota (9),', 'BMW (1)'], 24, '  ')).toBe(
      '  Honda (12),\n  Toyota (9), BMW (1)',
    );
  });
});
