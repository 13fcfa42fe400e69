import type { Facets, Filters, Inventory } from '../../inventory/inventory.ts';
import type { Clock } from '../../model/clock.ts';
import { withFreshness } from './freshness-text.ts';
import { noMatchText } from './no-match-text.ts';
import { answered } from './skill.ts';
import type { Skill } from './skill.ts';

/** Of the facets that the inventory gives more than once, those of the whole lot. */
const texts = new WeakMap<Facets, string>();

function textOf(facets: Facets): string {
  let text = texts.get(facets);
  if (text === undefined) {
    text = JSON.stringify(facets);
    texts.set(facets, text);
  }
  return text;
}

export function inventoryFacets(inventory: Inventory, clock: Clock): Skill {
  return {
    id: 'inventory.facets',
    description:
      'Which makes, models, years, prices and other values the inventory has, and how many vehicles have each.',
    tags: ['inventory', 'facets', 'automotive'],
    answer: (request) => {
      const { filters = {} } = request as { filters?: Filters };
      const facets = inventory.facets(filters);
      // Every listing has a status, so their counts add up to all that match.
      const total = (facets.statuses ?? []).reduce((sum, { count }) => sum + count, 0);
      const fact =
        total === 0
          ? noMatchText(filters, inventory.whyNone(filters))
          : `Counted over ${total === 1 ? 'one vehicle' : `${total} vehicles`}`;
      const message = withFreshness(fact, inventory.status(), clock.now());
      return answered('inventory.facets', textOf(facets), message);
    },
  };
}
