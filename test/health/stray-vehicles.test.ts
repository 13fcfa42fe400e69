import { expect, it } from 'vitest';
import { strayVehicles } from '../../src/bridge/stray-vehicles.ts';
import type { Config } from '../../src/config/config.ts';

const owner = (feedId: string, rooftopId: string, vehicles: number, day: number) => ({
  feedId,
  rooftopId,
  vehicles,
  confirmedAt: Date.UTC(2026, 10, day),
});
const settings = {
  feeds: [{ id: 'main' }, { id: 'photos', supplements: {} }] as unknown as Config['feeds'],
  rooftops: [{ id: 'ONE' }, { id: 'TWO' }] as Config['dealer']['rooftops'],
};

it('counts vehicles of feeds and rooftops that are gone, those without both with their rooftop', () => {
  const owners = [
    owner('main', 'ONE', 10, 1),
    owner('main', 'OLD', 3, 2),
    owner('gone', 'ONE', 4, 3),
    owner('gone', 'OLD', 5, 1),
    owner('gone', 'TWO', 6, 4),
    owner('photos', 'ONE', 1, 5),
  ];
  expect(strayVehicles(owners, settings)).toEqual([
    { kind: 'rooftop', id: 'OLD', vehicles: 8, confirmed_at: '2026-11-02T00:00:00Z' },
    { kind: 'feed', id: 'gone', vehicles: 10, confirmed_at: '2026-11-04T00:00:00Z' },
    { kind: 'feed', id: 'photos', vehicles: 1, confirmed_at: '2026-11-05T00:00:00Z' },
  ]);
  expect(strayVehicles([owner('main', 'TWO', 1, 1)], settings)).toEqual([]);
});
