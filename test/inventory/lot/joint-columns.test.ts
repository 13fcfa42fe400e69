import { expect, test } from 'vitest';
import { codeCount, countJoint, joinColumns } from '../../../src/inventory/lot/joint-columns.ts';
import { TERM_FIELDS, type TermField } from '../../../src/inventory/lot/fields.ts';
import { TermColumnBuilder, type TermColumnData } from '../../../src/inventory/lot/term-column.ts';

/** Columns in which these fields have the values that are told for each row, and all others none. */
function columnsOf(
  rowCount: number,
  valueOf: Partial<Record<TermField, (row: number) => string | undefined>>,
): Record<TermField, TermColumnData> {
  return Object.fromEntries(
    TERM_FIELDS.map((field) => {
      const builder = new TermColumnBuilder();
      for (let row = 0; row < rowCount; row++) builder.add(valueOf[field]?.(row));
      return [field, builder.finish()];
    }),
  ) as Record<TermField, TermColumnData>;
}

test('columns that say much the same are joined, and counted as each one alone would be', () => {
  const rowCount = 3000;
  const columns = columnsOf(rowCount, {
    model: (row) => `model ${row % 40}`,
    make: (row) => (row % 40 === 7 ? undefined : `make ${(row % 40) >> 2}`),
    exterior_color: (row) => `color ${(row * 7919) % 97}`,
    vehicle_type: () => 'car',
  });
  const joints = joinColumns(columns, rowCount);
  const fields = joints.map((joint) => [...joint.fields]);
  expect(fields.flat().sort()).toEqual([...TERM_FIELDS].sort());
  expect(fields.find((joint) => joint.includes('model'))).toContain('make');
  expect(fields.find((joint) => joint.includes('model'))).not.toContain('exterior_color');

  const rows = Uint32Array.from({ length: 500 }, (_, index) => index * 6);
  for (const joint of joints) {
    const widths = joint.fields.map((field) => columns[field].totals.length);
    for (const [index, counts] of countJoint(joint, rows, widths).entries()) {
      const { codes, totals } = columns[joint.fields[index]!];
      const expected = [...totals.keys()].map((code) => rows.filter((row) => codes[row] === code).length);
      expect([...counts]).toEqual(expected);
    }
  }
});

test('what would make too many combinations is joined with nothing', () => {
  const rowCount = 10_000;
  const columns = columnsOf(rowCount, {
    trim: (row) => `trim ${row}`,
    model: (row) => `model ${row % 997}`,
    exterior_color: (row) => `color ${Math.floor(row / 10)}`,
  });
  const joints = joinColumns(columns, rowCount);
  expect(joints.some(({ fields }) => fields.includes('trim'))).toBe(false);
  const apart = joints.filter(({ fields }) => fields.includes('model') || fields.includes('exterior_color'));
  expect(apart).toHaveLength(2);
  for (const joint of joints) expect(codeCount(joint)).toBeLessThanOrEqual(1001);
});
