import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { compileExpiry } from '../../src/feeds/mapping/mappers/expiry.ts';
import { RowDraft } from '../../src/feeds/mapping/mappers/row-draft.ts';
import { codes, faultBench } from '../feeds-faults/fault-bench.ts';
import { SAMPLES } from './format-preview.ts';

const DAY = 86_400_000;
const bench = faultBench();

it('an eRepairables vehicle leaves the lot when its advertisement has ended, though its row stays the same', async () => {
  const sample = await readFile(path.join(SAMPLES, 'erepairables.txt'), 'utf8');
  const others = Array.from({ length: 9 }, (_, n) => sample.split('\n')[3]?.replace('00639', `0070${n}`));
  const text = [sample.trimEnd(), ...others, '']
    .join('\n')
    .replace('2036-01-31 23:59:59', '2026-12-05 18:00:00');
  const parts = { profile: { extends: 'erepairables', map: {} } };

  bench.dealership.now = Date.UTC(2026, 11, 5, 23);
  await bench.take(text, parts);
  expect(bench.keys).toContain('3TMCZ5AN4KM063001');

  bench.dealership.now += DAY;
  const report = await bench.take(text, parts);
  expect(codes(report.rejections)).toContainEqual([1, 'status_out_of_stock']);
  expect(report.rejections[0]?.message).toContain(
    '(Expires "2026-12-05 18:00:00": its advertisement has ended)',
  );
  expect(bench.keys).not.toContain('3TMCZ5AN4KM063001');
  expect(bench.keys).toContain('KNDJP3A53J7063002');
});

it.each([
  ['2026-11-30', undefined],
  ['2026-11-29 23:59:59', 'status_out_of_stock'],
  ['11/29/2026', 'status_out_of_stock'],
  ['2020-01-01', 'status_out_of_stock'],
  ['', undefined],
  ['N/A', undefined],
])('on 30 November 2026, the last day %j gives %s', (text, code) => {
  const draft = new RowDraft(new Map([['expires', [text]]]), []);
  expect(compileExpiry('Expires', '2026-11-30')(draft)?.code).toBe(code);
  expect(draft.warnings).toEqual([]);
});

it('an unreadable last day is told, and the vehicle stays', () => {
  const draft = new RowDraft(new Map([['expires', ['soon']]]), []);
  expect(compileExpiry('Expires', '2026-11-30')(draft)).toBeUndefined();
  expect(draft.warnings).toMatchObject([{ code: 'date_invalid', value: 'soon' }]);
});
