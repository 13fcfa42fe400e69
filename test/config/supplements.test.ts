import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDealership, SMALL, type Dealership } from './dealership.ts';

let dealer: Dealership;
beforeAll(async () => {
  dealer = await openDealership();
});
afterAll(() => dealer.remove());

const LOT = '  - { id: lot, profile: plainlist, rooftop: ONE }\n';

function withFeeds(...companions: string[]): string {
  const lines = companions.map((companion) => `  - { profile: plainlist, ${companion} }\n`);
  return `${SMALL}feeds:\n${LOT}${lines.join('')}`;
}

async function problems(...companions: string[]): Promise<string[]> {
  const loaded = await dealer.load(withFeeds(...companions));
  if (loaded.ok) return [];
  return loaded.problems.map(({ where, message }) => `${where?.path ?? ''}: ${message}`);
}

describe('a companion feed', () => {
  it('needs no rooftop and replaces unless told otherwise', async () => {
    const loaded = await dealer.load(
      withFeeds('id: photos, supplements: { feeds: [lot], fields: [photos, vdp_url] }'),
    );
    expect(loaded.ok && loaded.value.feeds[1]).toMatchObject({
      id: 'photos',
      rooftop: { kind: 'column' },
      supplements: { feeds: ['lot'], fields: ['photos', 'vdp_url'], when_both: 'replace' },
    });
  });

  it('is the only kind of feed that needs no rooftop', async () => {
    expect(await problems('id: second')).toEqual([expect.stringContaining('rooftop')]);
  });

  it.each([
    ['an unknown feed', 'supplements: { feeds: [lott], fields: [photos] }', 'did you mean'],
    ['itself', 'supplements: { feeds: [one], fields: [photos] }', 'is this one itself'],
    ['no fields', 'supplements: { feeds: [lot], fields: [] }', 'supplements.fields'],
    ['no feeds', 'supplements: { feeds: [], fields: [photos] }', 'supplements.feeds'],
    [
      'a field that decides what the vehicle is',
      'supplements: { feeds: [lot], fields: [year] }',
      'must be one of prices, msrp, photos',
    ],
    [
      'hiding',
      'expect_every_hours: 5, when_overdue: hide, supplements: { feeds: [lot], fields: [photos] }',
      'no vehicles of its own',
    ],
    [
      'fees of no rooftop',
      'price_basis: base_plus_fees, supplements: { feeds: [lot], fields: [prices] }',
      'none is named',
    ],
  ])('with %s is refused', async (_, companion, told) => {
    const found = await problems(`id: one, ${companion}`);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain('feeds[1].');
    expect(found.join()).toContain(told);
  });

  it('that adds to another companion feed is refused', async () => {
    expect(
      await problems(
        'id: one, supplements: { feeds: [lot], fields: [photos] }',
        'id: two, supplements: { feeds: [one], fields: [vdp_url] }',
      ),
    ).toEqual([
      'feeds[2].supplements.feeds[0]: the feed "one" is a companion feed, too, and has no vehicles.',
    ]);
  });

  it('may not add what another one adds to the same feed', async () => {
    expect(
      await problems(
        'id: one, supplements: { feeds: [lot], fields: [photos, vdp_url] }',
        'id: two, supplements: { feeds: [lot], fields: [description, vdp_url] }',
      ),
    ).toEqual(['feeds[2].supplements.fields[1]: vdp_url of feed "lot" is already added by feed "one".']);
  });
});
