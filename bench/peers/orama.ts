import { flat, LISTS, importPeer, type OpenPeer, TERMS } from './peer.ts';
import type { Filters } from '../kinds.ts';

interface Orama {
  create: (options: { schema: Record<string, string> }) => unknown;
  insertMultiple: (database: unknown, records: object[], batch: number) => Promise<unknown>;
  search: (database: unknown, request: object) => { count: number } | Promise<{ count: number }>;
}

const BATCH = 5_000;

export const openOrama: OpenPeer = async (vehicles) => {
  const { create, insertMultiple, search } = await importPeer<Orama>('@orama/orama');
  const terms = Object.fromEntries(TERMS.map((term) => [term, 'enum']));
  const database = create({
    schema: { ...terms, vin: 'enum', price: 'number', model_year: 'number', words: 'string' },
  });
  await insertMultiple(database, vehicles.map(flat), BATCH);
  const facets = Object.fromEntries(TERMS.map((term) => [term, { limit: 1_000 }]));
  return {
    name: 'orama',
    page: async (filters) => {
      const request = { ...asked(filters), limit: 20, sortBy: { property: 'price', order: 'ASC' } };
      return (await search(database, request)).count;
    },
    facets: (filters) => search(database, { ...asked(filters), limit: 1, facets }),
  };
};

function asked({ query, vin, price_max, year_min, ...filters }: Filters): object {
  const where: Record<string, object> = {};
  for (const list of LISTS) if (filters[list] !== undefined) where[list] = { in: filters[list] };
  if (vin !== undefined) where.vin = { eq: vin };
  if (price_max !== undefined) where.price = { lte: price_max };
  if (year_min !== undefined) where.model_year = { gte: year_min };
  return { ...(query === undefined ? {} : { term: query, properties: ['words'], threshold: 0 }), where };
}
