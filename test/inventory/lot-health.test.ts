import { expect, test } from 'vitest';
import { rooftopsHealth } from '../../src/bridge/lot-health.ts';

test('health tells the age of every rooftop, also of one without vehicles', () => {
  const onTheLot = [
    { rooftopId: 'HPM01', vehicles: 3, confirmedAt: '2026-04-30T09:00:00Z' },
    { rooftopId: 'OLD09', vehicles: 1, confirmedAt: '2026-04-30T10:00:05Z' },
  ];
  const now = Date.parse('2026-04-30T10:00:00.900Z');
  expect(rooftopsHealth([{ id: 'CRA02' }, { id: 'HPM01' }], { rooftops: onTheLot }, now)).toEqual([
    { rooftop_id: 'CRA02', vehicles: 0 },
    { rooftop_id: 'HPM01', vehicles: 3, confirmed_at: '2026-04-30T09:00:00Z', age_seconds: 3600 },
    { rooftop_id: 'OLD09', vehicles: 1, confirmed_at: '2026-04-30T10:00:05Z', age_seconds: 0 },
  ]);
});
