import type { SearchConfig } from '../../config/config.ts';
import type { Filters, Inventory, SearchPage, SearchRequest } from '../../inventory/inventory.ts';
import type { Clock } from '../../model/clock.ts';
import { withFreshness } from './freshness-text.ts';
import { KeptAnswers, type LotAnswer } from './kept-answers.ts';
import { noMatchText } from './no-match-text.ts';
import { answered } from './skill.ts';
import type { Skill } from './skill.ts';

/** inventory.search as it comes in (aap-v1.3 section 5). `privacy` changes nothing: every search is anonymous. */
interface InventorySearchRequest {
  filters?: Filters;
  pagination?: { skip?: number; limit?: number };
  sort?: NonNullable<SearchRequest['sort']>;
}

export function inventorySearch(inventory: Inventory, search: SearchConfig, clock: Clock): Skill {
  const kept = new KeptAnswers();

  function lookUp({ filters = {}, pagination, sort }: InventorySearchRequest): LotAnswer {
    const page = inventory.search({
      filters,
      skip: Math.min(pagination?.skip ?? 0, Number.MAX_SAFE_INTEGER),
      limit: Math.min(pagination?.limit ?? search.default_limit, search.max_limit),
      includeFacets: search.include_facets,
      ...(sort === undefined ? {} : { sort }),
    });
    const fact = page.total === 0 ? noMatchText(filters, inventory.whyNone(filters)) : describePage(page);
    return { data: pageText(page), fact };
  }

  return {
    id: 'inventory.search',
    description: 'Vehicles for sale by make, model, price, year, mileage and more, sorted and page by page.',
    tags: ['inventory', 'search', 'automotive'],
    answer: (request) => {
      const status = inventory.status();
      const { data, fact } = kept.answer(status, request as object, () =>
        lookUp(request as InventorySearchRequest),
      );
      return answered('inventory.search', data, withFreshness(fact, status, clock.now()));
    },
  };
}

function pageText({ total, skip, limit, vehicles, facets }: SearchPage): string {
  const facetsText = facets === undefined ? '' : `,"facets":${JSON.stringify(facets)}`;
  return `{"total":${total},"skip":${skip},"limit":${limit},"vehicles":[${vehicles.join(',')}]${facetsText}}`;
}

function describePage({ total, skip, vehicles }: SearchPage): string {
  const found = total === 1 ? 'One vehicle matches' : `${total} vehicles match`;
  if (vehicles.length === 0) return `${found}; this page lies behind the last one`;
  if (vehicles.length === total) return found;
  if (vehicles.length === 1) return `${found}; this is number ${skip + 1}`;
  return `${found}; these are ${skip + 1} to ${skip + vehicles.length}`;
}
