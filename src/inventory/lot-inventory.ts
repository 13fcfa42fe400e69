import type { SearchConfig } from '../config/config.ts';
import { formatInstant } from '../model/clock.ts';
import type { Listing } from '../model/vehicle.ts';
import type { Vocabularies } from '../model/vocabulary.ts';
import { facetsOf } from './facets.ts';
import type {
  Facets,
  Filters,
  Found,
  Inventory,
  InventoryStatus,
  IsMeant,
  NoMatch,
  SearchPage,
  SearchRequest,
  VehicleReference,
} from './inventory.ts';
import { buildLot } from './lot/build-lot.ts';
import { adoptLot, type Lot, type Selection } from './lot/lot.ts';
import type { LotData } from './lot/lot-data.ts';
import { compileSynonyms, NO_SYNONYMS, type Synonyms } from './lot/synonyms.ts';
import { noMatch } from './no-match.ts';
import { pageRows } from './search.ts';
import type { InventoryStore } from './store.ts';
import type { StoredVehicle } from './vehicle-finder.ts';

/** What the inventory in service reads from the store; a read-only connection will do. */
type ListingSource = Pick<InventoryStore, 'readListingTexts' | 'findVehicle'>;

/**
 * The inventory in service: searches and counts in the lot, reads texts and single vehicles from the store. It is
 * empty until the first `swap`. Every answer comes from one lot as a whole. Right after an import, until the next
 * swap, a page may show a vehicle's newer text in its old place; one that left meanwhile is still shown.
 */
export class LotInventory implements Inventory {
  readonly #store: ListingSource;
  #config: SearchConfig;
  #synonyms: Synonyms;
  #lot: Lot;
  #lotVersion = 0;
  /** Facets of the whole lot: the commonest question, answered once a lot. */
  #allFacets: Facets | undefined;
  #status: InventoryStatus | undefined;

  /** @param vocabularies what shoppers' words are understood by; without them only literally */
  constructor(store: ListingSource, config: SearchConfig, vocabularies?: Vocabularies) {
    this.#store = store;
    this.#config = config;
    this.#synonyms = synonymsOf(vocabularies);
    this.#lot = adoptLot(buildLot({ visitAllForLot: () => [] }), this.#synonyms);
  }

  /** The same lot by other settings. */
  change(config: SearchConfig, vocabularies?: Vocabularies): void {
    this.#config = config;
    this.#synonyms = synonymsOf(vocabularies);
    this.#lot = adoptLot(this.#lot.data, this.#synonyms);
    this.#allFacets = undefined;
  }

  /** Puts a new lot into service; answers already given keep their own. */
  swap(data: LotData): void {
    this.#lot = adoptLot(data, this.#synonyms);
    this.#lotVersion++;
    this.#allFacets = undefined;
    this.#status = undefined;
  }

  search(request: SearchRequest): SearchPage {
    const lot = this.#lot;
    const limit = Math.min(request.limit, this.#config.max_limit);
    const selection = lot.select(request.filters);
    const rows = pageRows(lot, selection, { ...request, limit });
    const facets = request.includeFacets ? { facets: this.#facetsOf(selection) } : {};
    const rowIds = Array.from(rows, (row) => lot.data.rowIds[row] ?? 0);
    const vehicles = this.#store.readListingTexts(rowIds).filter((text) => text !== undefined);
    return { total: selection.total, skip: request.skip, limit, vehicles, ...facets };
  }

  facets(filters: Filters): Facets {
    return this.#facetsOf(this.#lot.select(filters));
  }

  whyNone(filters: Filters): NoMatch {
    return noMatch(this.#lot, filters);
  }

  find(reference: VehicleReference, isMeant?: IsMeant): Found {
    const { hiddenFeeds, hiddenRooftops } = this.#lot.data;
    const isWanted = ({ rooftopId, json }: StoredVehicle): boolean =>
      isMeant === undefined ||
      isMeant({
        rooftopId,
        get listing() {
          return JSON.parse(json) as Listing;
        },
      });
    const isShown = (vehicle: StoredVehicle): boolean =>
      vehicle.leftAt === undefined &&
      !hiddenRooftops.includes(vehicle.rooftopId) &&
      !hiddenFeeds.some(({ feedId }) => feedId === vehicle.feedId) &&
      isWanted(vehicle);
    const shown = this.#store.findVehicle(reference, isShown);
    if (shown !== undefined) {
      const { json, rooftopId } = shown;
      return { kind: 'listed', listing: JSON.parse(json) as Listing, json, rooftopId };
    }
    const found = this.#store.findVehicle(reference, isWanted);
    if (found === undefined) return { kind: 'unknown' };
    const { rooftopId, feedId, leftAt } = found;
    if (leftAt !== undefined) return { kind: 'gone', leftAt: formatInstant(leftAt), rooftopId };
    // Its dealer is nobody that we could tell about.
    if (hiddenRooftops.includes(rooftopId)) return { kind: 'unknown' };
    // Nobody knows any more whether it is still there, and the last word about it is old.
    const hidden = hiddenFeeds.find((feed) => feed.feedId === feedId);
    return hidden === undefined ? { kind: 'unknown' } : { kind: 'gone', leftAt: hidden.since, rooftopId };
  }

  status(): InventoryStatus {
    this.#status ??= this.#newStatus();
    return this.#status;
  }

  #newStatus(): InventoryStatus {
    const { rowCount, rooftops } = this.#lot.data;
    return {
      vehicles: rowCount,
      lotVersion: this.#lotVersion,
      rooftops: rooftops.map(({ rooftopId, vehicles, confirmedAt }) => ({
        rooftopId,
        vehicles,
        confirmedAt: formatInstant(confirmedAt),
      })),
    };
  }

  #facetsOf(selection: Selection): Facets {
    if (selection.rows !== undefined) return facetsOf(this.#lot, selection, this.#config.max_facet_values);
    this.#allFacets ??= facetsOf(this.#lot, selection, this.#config.max_facet_values);
    return this.#allFacets;
  }
}

function synonymsOf(vocabularies: Vocabularies | undefined): Synonyms {
  return vocabularies === undefined ? NO_SYNONYMS : compileSynonyms(vocabularies);
}
