import { flat, type FlatVehicle, LISTS, importPeer, type OpenPeer, TERMS } from './peer.ts';
import type { Filters } from '../kinds.ts';

interface ItemsJs {
  default: (
    records: object[],
    configuration: object,
  ) => { search(request: object): { pagination: { total: number } } };
}

export const openItemsJs: OpenPeer = async (vehicles) => {
  const { default: itemsjs } = await importPeer<ItemsJs>('itemsjs');
  // Several values of one filter mean any of them.
  const term = { size: 1_000, conjunction: false };
  const aggregations = Object.fromEntries([...TERMS, 'vin'].map((name) => [name, term]));
  const engine = itemsjs(vehicles.map(flat), {
    sortings: { price: { field: 'price', order: 'asc' } },
    aggregations,
    searchableFields: ['words'],
  });
  return {
    name: 'itemsjs',
    page: (filters) => engine.search({ ...asked(filters), per_page: 20, sort: 'price' }).pagination.total,
    facets: (filters) => engine.search({ ...asked(filters), per_page: 1 }),
  };
};

function asked({ query, vin, price_max, year_min, ...filters }: Filters): object {
  const lists: Record<string, readonly string[]> = {};
  for (const list of LISTS) if (filters[list] !== undefined) lists[list] = filters[list];
  if (vin !== undefined) lists.vin = [vin];
  const isBounded = price_max !== undefined || year_min !== undefined;
  const filter = ({ price, model_year }: FlatVehicle): boolean =>
    (price_max === undefined || (price !== undefined && Number(price) <= price_max)) &&
    (year_min === undefined || Number(model_year) >= year_min);
  return { filters: lists, ...(query === undefined ? {} : { query }), ...(isBounded ? { filter } : {}) };
}
