import type { Filters, Inventory } from '../../inventory/inventory.ts';
import { answered } from './skill.ts';
import type { Skill } from './skill.ts';

export function inventoryFacets(inventory: Inventory): Skill {
  return {
    id: 'inventory.facets',
    description:
      'Which makes, models, years, prices and other values the inventory has, and how many vehicles have each.',
    tags: ['inventory', 'facets', 'automotive'],
    answer: (request) => {
      const { filters } = request as { filters?: Filters };
      const facets = inventory.facets(filters ?? {});
      // Every listing has a status, so their counts add up to all that match.
      const total = (facets.statuses ?? []).reduce((sum, { count }) => sum + count, 0);
      const message = `Counted over ${total === 1 ? 'one vehicle' : `${total} vehicles`}.`;
      return answered('inventory.facets', JSON.stringify(facets), message);
    },
  };
}
