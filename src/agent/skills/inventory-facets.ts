import type { Filters, Inventory } from '../../inventory/inventory.ts';
import type { Clock } from '../../model/clock.ts';
import { withFreshness } from './freshness-text.ts';
import { KeptAnswers, type LotAnswer } from './kept-answers.ts';
import { noMatchText } from './no-match-text.ts';
import { answered } from './skill.ts';
import type { Skill } from './skill.ts';

export function inventoryFacets(inventory: Inventory, clock: Clock): Skill {
  const kept = new KeptAnswers();

  function count(filters: Filters): LotAnswer {
    const facets = inventory.facets(filters);
    // Every listing has a status, so their counts add up to all that match.
    const total = (facets.statuses ?? []).reduce((sum, { count }) => sum + count, 0);
    const fact =
      total === 0
        ? noMatchText(filters, inventory.whyNone(filters))
        : `Counted over ${total === 1 ? 'one vehicle' : `${total} vehicles`}`;
    return { data: JSON.stringify(facets), fact };
  }

  return {
    id: 'inventory.facets',
    description:
      'Which makes, models, years, prices and other values the inventory has, and how many vehicles have each.',
    tags: ['inventory', 'facets', 'automotive'],
    answer: (request) => {
      const { filters = {} } = request as { filters?: Filters };
      const status = inventory.status();
      const { data, fact } = kept.answer(status, filters, () => count(filters));
      return answered('inventory.facets', data, withFreshness(fact, status, clock.now()));
    },
  };
}
