import { hash } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import { ownedPart, withSupplement, type SupplementRule } from '../model/supplement.ts';
import type { Vehicle } from '../model/vehicle.ts';
import { broughtBefore, joinsOf } from './supplement-joins.ts';

/** One companion feed's share in a vehicle, as `feed explain` tells it. */
export interface SupplementSource {
  feedId: string;
  /** What it brings, whether it is published or stands behind the other feed's. */
  fields: string[];
}

const JOIN_TABLES = `
  CREATE TEMP TABLE IF NOT EXISTS joined_supplement (
    supplement_id INTEGER NOT NULL,
    row_id        INTEGER NOT NULL,
    place         INTEGER NOT NULL
  );
  DELETE FROM joined_supplement;
  CREATE TEMP TABLE IF NOT EXISTS chosen_supplement (
    row_id        INTEGER NOT NULL,
    feed_id       TEXT    NOT NULL,
    supplement_id INTEGER NOT NULL,
    PRIMARY KEY (row_id, feed_id)
  ) WITHOUT ROWID;
  DELETE FROM chosen_supplement`;

/** Only listed vehicles. */
const JOIN = `
  INSERT INTO joined_supplement (row_id, supplement_id, place)
  ${joinsOf(`${broughtBefore("json_extract(rule, '$.feeds')")} JOIN supplement_rule USING (feed_id)`)}`;

/** Of several rows of one feed for one vehicle the one with its VIN counts, then the one that came last. */
const CHOOSE = `
  INSERT OR IGNORE INTO chosen_supplement (row_id, feed_id, supplement_id)
  SELECT row_id, feed_id, supplement_id FROM joined_supplement
  JOIN supplement USING (supplement_id)
  ORDER BY place = 1 OR vin IS NULL, supplement_id DESC`;

/** From now on the row means that vehicle, until the companion's next file. */
const NOTE_MEANT = `
  UPDATE supplement SET meant_vin = vehicle.vin
  FROM joined_supplement AS joined CROSS JOIN vehicle USING (row_id)
  WHERE joined.place = 1 AND supplement.supplement_id = joined.supplement_id
    AND supplement.vin IS NULL AND vehicle.vin IS NOT NULL`;

const FIND_STALE = `
  WITH made AS (
    SELECT row_id, vehicle.content_hash || ' ' || group_concat(
        supplement.content_hash || ' ' || rule_hash, ' ' ORDER BY supplement.feed_id) AS made_from
    FROM chosen_supplement
    JOIN vehicle USING (row_id)
    JOIN supplement USING (supplement_id)
    JOIN supplement_rule ON supplement_rule.feed_id = supplement.feed_id
    GROUP BY row_id
  )
  SELECT made.row_id AS rowId, made.made_from AS madeFrom FROM made
  LEFT JOIN supplemented USING (row_id)
  WHERE supplemented.made_from IS NOT made.made_from`;

const FIND_BARE = `
  SELECT row_id AS rowId FROM supplemented WHERE row_id NOT IN (SELECT row_id FROM chosen_supplement)`;

interface Brought {
  feedId: string;
  json: string;
  rule: string;
}

/**
 * Brings the published texts up to date with listings, supplements and rules; to be called inside the transaction
 * that has changed one of them. Only vehicles of which one has changed are merged anew, and without companion feeds
 * nothing is looked at.
 *
 * @param confirmedAt time of the companion file, ms since 1970: becomes updated_at of vehicles whose published
 * content changes by it, never of others. Left out when it was no companion file that changed something.
 */
export function mergeSupplements(database: Database, confirmedAt?: number): void {
  const isUsed = database
    .prepare<[], 0 | 1>(
      'SELECT EXISTS (SELECT 1 FROM supplement_rule) OR EXISTS (SELECT 1 FROM supplemented)',
    )
    .pluck();
  if (isUsed.get() !== 1) return;
  database.exec(JOIN_TABLES);
  for (const step of [JOIN, CHOOSE, NOTE_MEANT]) database.prepare(step).run();

  const find = database.prepare<[number], { base: string; before: string }>(
    `SELECT listing.json AS base, COALESCE(supplemented.json, listing.json) AS before
     FROM listing LEFT JOIN supplemented USING (row_id) WHERE row_id = ?`,
  );
  const findBrought = database.prepare<[number], Brought>(
    `SELECT supplement.feed_id AS feedId, json, rule FROM chosen_supplement
     JOIN supplement USING (supplement_id)
     JOIN supplement_rule ON supplement_rule.feed_id = supplement.feed_id
     WHERE row_id = ? ORDER BY supplement.feed_id`,
  );
  const write = database.prepare(
    `INSERT OR REPLACE INTO supplemented (row_id, json, sources, made_from) VALUES (?, ?, ?, ?)`,
  );
  const forget = database.prepare('DELETE FROM supplemented WHERE row_id = ?');
  const confirm = database.prepare('UPDATE vehicle SET updated_at = MAX(updated_at, ?) WHERE row_id = ?');
  const noteChange = (rowId: number, before: string, after: string): void => {
    if (confirmedAt !== undefined && before !== after) confirm.run(confirmedAt, rowId);
  };

  for (const { rowId, madeFrom } of database
    .prepare<[], { rowId: number; madeFrom: string }>(FIND_STALE)
    .all()) {
    const texts = find.get(rowId);
    if (texts === undefined) continue;
    const { json, sources } = mergedText(texts.base, findBrought.all(rowId));
    write.run(rowId, json, JSON.stringify(sources), madeFrom);
    noteChange(rowId, texts.before, json);
  }
  for (const { rowId } of database.prepare<[], { rowId: number }>(FIND_BARE).all()) {
    const texts = find.get(rowId);
    forget.run(rowId);
    if (texts !== undefined) noteChange(rowId, texts.before, texts.base);
  }
}

function mergedText(
  base: string,
  brought: readonly Brought[],
): { json: string; sources: SupplementSource[] } {
  let vehicle = JSON.parse(base) as Vehicle;
  const sources: SupplementSource[] = [];
  for (const { feedId, json, rule: ruleText } of brought) {
    const rule = JSON.parse(ruleText) as SupplementRule;
    const part = ownedPart(JSON.parse(json) as Vehicle, rule.fields);
    vehicle = withSupplement(vehicle, part, rule);
    sources.push({ feedId, fields: Object.keys(part) });
  }
  return { json: JSON.stringify(vehicle), sources };
}

/**
 * Makes these the companion feeds, all others lose what they have brought: a feed that comes back into the settings
 * later must not publish old prices until its first file. Costs nothing when nothing has changed.
 */
export function configureSupplements(database: Database, rules: ReadonlyMap<string, SupplementRule>): void {
  database
    .transaction(() => {
      const known = database
        .prepare<[], { feedId: string; rule: string }>(
          'SELECT feed_id AS feedId, rule FROM supplement_rule ORDER BY feed_id',
        )
        .all();
      const wanted = [...rules].map(([feedId, rule]) => ({ feedId, rule: ruleText(rule) }));
      const isSame =
        known.length === wanted.length &&
        wanted.every(({ feedId, rule }) =>
          known.some((each) => each.feedId === feedId && each.rule === rule),
        );
      if (isSame) return;
      database.prepare('DELETE FROM supplement_rule').run();
      for (const { feedId, rule } of wanted) saveRule(database, feedId, rule);
      database
        .prepare('DELETE FROM supplement WHERE feed_id NOT IN (SELECT feed_id FROM supplement_rule)')
        .run();
      mergeSupplements(database);
    })
    .immediate();
}

export function saveRule(database: Database, feedId: string, rule: string): void {
  database
    .prepare('INSERT OR REPLACE INTO supplement_rule (feed_id, rule, rule_hash) VALUES (?, ?, ?)')
    .run(feedId, rule, hash('sha1', rule, 'base64url'));
}

/** Always in the same order, so that texts can be compared. */
export function ruleText({ feeds, fields, when_both }: SupplementRule): string {
  return JSON.stringify({ feeds, fields, when_both });
}
