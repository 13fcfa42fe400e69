import type { Database } from 'better-sqlite3';
import type { PriceTerms, Reprice } from '../model/intake.ts';
import type { Vehicle } from '../model/vehicle.ts';
import { mergeSupplements } from './supplement-merge.ts';

/** Whose word the price is, and where: as `feed rooftop`. */
const FIND_VEHICLES = `
  SELECT row_id AS id, COALESCE(told_by, feed_id) || ' ' || rooftop_id AS place FROM vehicle
  WHERE left_at IS NULL AND place IN (SELECT value FROM json_each(?))`;

const FIND_SUPPLEMENTS = `
  SELECT supplement_id AS id, feed_id || ' ' || rooftop_id AS place FROM supplement
  WHERE place IN (SELECT value FROM json_each(?))`;

interface Changed {
  before: string | undefined;
  now: string;
}

/**
 * Brings vehicles on the lot, and what companion feeds say of them, to the terms that count now, and returns how many have
 * changed. Looks at no vehicle whose terms are those by which it was priced. A vehicle that has changed is not recognised
 * by its record any more, which says something else. Its updated_at stays: nobody has seen the car anew.
 */
export function bringPricesInLine(
  database: Database,
  wanted: readonly PriceTerms[],
  reprice: Reprice,
): number {
  return database
    .transaction(() => {
      const changed = changedTerms(database, wanted);
      if (changed.size === 0) return 0;
      const note = database.prepare(
        'INSERT OR REPLACE INTO price_terms (feed_id, rooftop_id, terms) VALUES (?, ?, ?)',
      );
      for (const { feedId, rooftopId, terms } of wanted) note.run(feedId, rooftopId, terms);
      const count =
        repriceVehicles(database, changed, reprice) + repriceSupplements(database, changed, reprice);
      if (count > 0) mergeSupplements(database);
      return count;
    })
    .immediate();
}

function changedTerms(database: Database, wanted: readonly PriceTerms[]): Map<string, Changed> {
  const known = new Map(
    database
      .prepare<[], PriceTerms>('SELECT feed_id AS feedId, rooftop_id AS rooftopId, terms FROM price_terms')
      .all()
      .map(({ terms, ...place }) => [placeOf(place), terms]),
  );
  return new Map(
    wanted
      .map((each) => ({ place: placeOf(each), now: each.terms }))
      .filter(({ place, now }) => known.get(place) !== now)
      .map(({ place, now }) => [place, { before: known.get(place), now }]),
  );
}

function placeOf({ feedId, rooftopId }: Omit<PriceTerms, 'terms'>): string {
  return `${feedId} ${rooftopId}`;
}

function repriceVehicles(
  database: Database,
  changed: ReadonlyMap<string, Changed>,
  reprice: Reprice,
): number {
  const writeText = database.prepare('UPDATE listing SET json = ? WHERE row_id = ?');
  const writeHash = database.prepare(
    'UPDATE vehicle SET content_hash = ?, record_hash = NULL WHERE row_id = ?',
  );
  return repriceEach(
    { database, find: FIND_VEHICLES, read: 'SELECT json FROM listing WHERE row_id = ?' },
    changed,
    reprice,
    (id, json, contentHash) => {
      writeText.run(json, id);
      writeHash.run(contentHash, id);
    },
  );
}

function repriceSupplements(
  database: Database,
  changed: ReadonlyMap<string, Changed>,
  reprice: Reprice,
): number {
  const write = database.prepare('UPDATE supplement SET json = ?, content_hash = ? WHERE supplement_id = ?');
  return repriceEach(
    { database, find: FIND_SUPPLEMENTS, read: 'SELECT json FROM supplement WHERE supplement_id = ?' },
    changed,
    reprice,
    (id, json, contentHash) => void write.run(json, contentHash, id),
  );
}

/** Text by text: those of a large lot are too many to be held at once. */
function repriceEach(
  { database, find, read }: { database: Database; find: string; read: string },
  changed: ReadonlyMap<string, Changed>,
  reprice: Reprice,
  write: (id: number, json: string, contentHash: string) => void,
): number {
  const found = database
    .prepare<[string], { id: number; place: string }>(find)
    .all(JSON.stringify([...changed.keys()]));
  const readText = database.prepare<[number], string>(read).pluck();
  let count = 0;
  for (const { id, place } of found) {
    const terms = changed.get(place);
    const json = readText.get(id);
    if (terms === undefined || json === undefined) continue;
    const now = reprice(JSON.parse(json) as Vehicle, terms.before, terms.now);
    if (now === undefined) continue;
    write(id, now.json, now.contentHash);
    count += 1;
  }
  return count;
}
