import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDealership, type Dealership } from './dealership.ts';

let dealer: Dealership;
beforeAll(async () => {
  dealer = await openDealership();
});
afterAll(() => dealer.remove());

const YAML = (rules: string) => `dealer:
  id: harbor
  name: Harbor Group
  rooftops:
    - id: HPM01
      name: Harbor Point Motors
      timezone: America/New_York
      schedules: [{ name: sales, value: { monday: { open: '09:00', close: '18:00' } } }]
    - { id: CRA02, name: Cedar Ridge, timezone: America/Denver }
leads:
  default_rooftop: HPM01
  destinations: [{ id: crm, adapter: pickup, options: { folder: out } }]
  appointments: ${rules}
`;

describe('rules for visits', () => {
  it('are about all rooftops and kinds unless they say otherwise, with usual slots', async () => {
    const loaded = await dealer.load(
      YAML(
        "{ holidays: ['2026-12-25'], rules: [{ mode: auto, rooftops: [HPM01], types: [sales] }, { mode: off }] }",
      ),
    );
    expect(loaded.ok ? loaded.value.leads.appointments : loaded.problems).toEqual({
      holidays: ['2026-12-25'],
      rules: [
        {
          mode: 'auto',
          rooftops: ['HPM01'],
          types: ['sales'],
          slot_minutes: 30,
          capacity: 1,
          lead_time_minutes: 120,
          days_ahead: 30,
          when_full: 'request',
          holidays: [],
        },
        expect.objectContaining({
          mode: 'off',
          rooftops: ['HPM01', 'CRA02'],
          types: ['sales', 'service', 'test_drive', 'trade_in'],
        }),
      ],
    });
  });

  it('are none when nothing is written', async () => {
    const loaded = await dealer.load(YAML('{}'));
    expect(loaded.ok ? loaded.value.leads.appointments : loaded.problems).toEqual({
      holidays: [],
      rules: [],
    });
  });

  it.each([
    ['a rooftop that is not there', '{ rules: [{ mode: off, rooftops: [HPM1] }] }', 'no rooftop "HPM1"'],
    ['a promise without hours', '{ rules: [{ mode: auto }] }', 'rooftop "CRA02", which has no schedules'],
    ['a day that is none', "{ holidays: ['2026-02-30'] }", 'a day such as "2026-12-25"'],
    [
      'no time between the earliest and the latest visit',
      '{ rules: [{ mode: auto, rooftops: [HPM01], lead_time_minutes: 1440, days_ahead: 1 }] }',
      'no time is left between',
    ],
    ['another mode', '{ rules: [{ mode: maybe }] }', 'mode'],
  ])('tell of %s', async (_, rules, expected) => {
    const problems = await dealer.problems(YAML(rules));
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(expected);
  });
});
