import { flat, importPeer, type OpenPeer } from './peer.ts';

interface MiniSearchModule {
  default: new (options: object) => {
    addAll(records: object[]): void;
    search(query: string, options: object): unknown[];
  };
}

/** Free text and nothing else. */
export const openMiniSearch: OpenPeer = async (vehicles) => {
  const { default: MiniSearch } = await importPeer<MiniSearchModule>('minisearch');
  const index = new MiniSearch({ fields: ['words'], storeFields: ['price'] });
  index.addAll(vehicles.map(flat));
  return {
    name: 'minisearch',
    page: ({ query }) =>
      query === undefined ? Number.NaN : index.search(query, { prefix: true, combineWith: 'AND' }).length,
  };
};
