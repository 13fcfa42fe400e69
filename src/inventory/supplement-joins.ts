import { ANY_ROOFTOP } from '../model/supplement.ts';

/**
 * Which listed vehicles a companion row adds to, as a query with the columns row_id, id and place (0 by VIN, 1 by
 * stock number). A VIN decides wherever both sides have one. A stock number counts only where exactly one vehicle of
 * the supplemented feeds, at that rooftop if the row has one, carries it.
 *
 * `source` gives id, rooftop_id, vin, stock_key and feeds (JSON list of feed ids).
 */
export function joinsOf(source: string): string {
  return `${candidatesOf(source)}
    SELECT row_id, id, 0 AS place FROM by_vin
    UNION ALL
    SELECT row_id, id, 1 AS place FROM by_stock WHERE matches = 1`;
}

/**
 * What companion feeds have brought, as a source. A stock number meant the vehicle that carried it when the row came: when
 * it goes to another vehicle before the companion's next file, the photos stay with the first.
 */
export function broughtBefore(feeds: string): string {
  return `
    SELECT supplement_id AS id, rooftop_id, COALESCE(vin, meant_vin) AS vin,
      CASE WHEN meant_vin IS NULL THEN stock_key END AS stock_key, ${feeds} AS feeds
    FROM supplement`;
}

/** Rows that several vehicles could be meant by: id and matches. */
export function ambiguitiesOf(source: string): string {
  return `${candidatesOf(source)} SELECT DISTINCT id, matches FROM by_stock WHERE matches > 1`;
}

/** Rows whose stock number belongs to a vehicle of another VIN: id, stock_key and the VIN of that vehicle. */
export function contradictionsOf(source: string): string {
  return `
    SELECT brought.id, brought.stock_key, MIN(vehicle.vin) AS stock_vin FROM (${source}) AS brought
    JOIN vehicle ON vehicle.stock_key = brought.stock_key
    WHERE brought.vin IS NOT NULL AND vehicle.vin IS NOT NULL AND ${IS_MEANT}
    GROUP BY brought.id, brought.stock_key
    HAVING NOT MAX(vehicle.vin = brought.vin)`;
}

const IS_MEANT = `vehicle.left_at IS NULL
  AND (brought.rooftop_id = '${ANY_ROOFTOP}' OR brought.rooftop_id = vehicle.rooftop_id)
  AND EXISTS (SELECT 1 FROM json_each(brought.feeds) AS supplemented_feed
    WHERE supplemented_feed.value = vehicle.feed_id)`;

function candidatesOf(source: string): string {
  return `
    WITH brought AS (${source}),
    by_vin AS MATERIALIZED (
      SELECT brought.id, vehicle.row_id FROM brought CROSS JOIN vehicle ON vehicle.vin = brought.vin WHERE ${IS_MEANT}
    ),
    by_stock AS MATERIALIZED (
      SELECT brought.id, vehicle.row_id, COUNT(*) OVER (PARTITION BY brought.id) AS matches
      FROM brought CROSS JOIN vehicle ON vehicle.stock_key = brought.stock_key
      WHERE (brought.vin IS NULL OR vehicle.vin IS NULL)
        AND brought.id NOT IN (SELECT id FROM by_vin) AND ${IS_MEANT}
    )`;
}
