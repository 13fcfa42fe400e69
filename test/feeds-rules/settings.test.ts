import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDealership, type Dealership } from '../config/dealership.ts';

let dealership: Dealership;

beforeEach(async () => {
  dealership = await openDealership();
});

afterEach(async () => {
  await dealership.remove();
});

function settings(feed: string): string {
  return `dealer:
  id: one-store
  name: One Store Motors
  rooftops:
    - id: ONE
      name: One Store Motors
      timezone: America/New_York
feeds:
  - { id: stock, profile: aap, rooftop: ONE, ${feed} }
leads:
  default_rooftop: ONE
  destinations:
    - { id: crm, adapter: adf-file, options: { folder: out } }
`;
}

it('the rules of a feed arrive as they are written, with defaults beside them', async () => {
  const loaded = await dealership.load(
    settings(
      'max_age_hours: 48, expect_every_hours: 0.5, when_overdue: hide, ' +
        'guard: { floor: 20, confirm_by_repeat: false }, price_checks: { max_change_percent: 60 }',
    ),
  );
  expect(loaded).toMatchObject({ ok: true });
  expect(loaded.ok && loaded.value.feeds[0]).toMatchObject({
    max_age_hours: 48,
    expect_every_hours: 0.5,
    when_overdue: 'hide',
    guard: { max_removed_percent: 20, max_removed_vehicles: 10, floor: 20, confirm_by_repeat: false },
    price_checks: { max_over_msrp_percent: 200, max_under_msrp_percent: 90, max_change_percent: 60 },
  });
});

it.each([
  ['max_age_hours: 0'],
  ['expect_every_hours: -1'],
  ['expect_every_hours: 24, when_overdue: delete'],
  ['when_overdue: hide'],
  ['guard: { floor: 1.5 }'],
  ['guard: { confirm_by_repeat: maybe }'],
  ['price_checks: { max_change_percent: 0 }'],
  ['price_checks: { max_over_msrp_precent: 10 }'],
])('%s is told as a fault of the settings', async (feed) => {
  const problems = await dealership.problems(settings(feed));
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain('feeds[0]');
});
