import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { flat, LISTS, importPeer, type OpenPeer, TERMS } from './peer.ts';
import type { Filters } from '../kinds.ts';

interface Connection {
  run(sql: string): Promise<unknown>;
  runAndReadAll(sql: string, values?: unknown[]): Promise<{ getRows(): unknown[][] }>;
  closeSync(): void;
}

interface DuckDb {
  DuckDBInstance: { create(path: string): Promise<{ connect(): Promise<Connection> }> };
}

const COLUMNS = [...TERMS, 'vin', 'words'];

/** In memory; facets as one statement over the filtered rows. */
export const openDuckDb: OpenPeer = async (vehicles) => {
  const { DuckDBInstance } = await importPeer<DuckDb>('@duckdb/node-api');
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const folder = mkdtempSync(join(tmpdir(), 'bench-duckdb-'));
  const file = join(folder, 'cars.ndjson');
  writeFileSync(file, vehicles.map((vehicle) => JSON.stringify(flat(vehicle))).join('\n'));
  const types = [
    ...COLUMNS.map((column) => `${column}: 'VARCHAR'`),
    "price: 'DOUBLE'",
    "model_year: 'INTEGER'",
  ];
  const source = `read_json('${file.replaceAll('\\', '/')}', format = 'newline_delimited', columns = {${types.join(', ')}})`;
  await connection.run(`CREATE TABLE car AS SELECT * FROM ${source}`);
  rmSync(folder, { recursive: true });
  return {
    name: 'duckdb',
    page: async (filters) => {
      const { where, values } = condition(filters);
      const counted = await connection.runAndReadAll(`SELECT COUNT(*) FROM car ${where}`, values);
      await connection.runAndReadAll(
        `SELECT vin FROM car ${where} ORDER BY price NULLS LAST LIMIT 20`,
        values,
      );
      return Number(counted.getRows()[0]?.[0]);
    },
    facets: async (filters) => {
      const { where, values } = condition(filters);
      const counts = TERMS.map((term) => `SELECT '${term}', ${term}, COUNT(*) FROM found GROUP BY ${term}`);
      const sql = `WITH found AS MATERIALIZED (SELECT * FROM car ${where}) ${counts.join(' UNION ALL ')}`;
      return (await connection.runAndReadAll(sql, values)).getRows();
    },
    close: () => connection.closeSync(),
  };
};

function condition({ query, vin, price_max, year_min, ...filters }: Filters): {
  where: string;
  values: unknown[];
} {
  const parts: string[] = [];
  const values: unknown[] = [];
  const add = (part: string, ...added: readonly unknown[]): void => {
    parts.push(part);
    values.push(...added);
  };
  for (const list of LISTS) {
    const wanted = filters[list];
    if (wanted !== undefined) add(`${list} IN (${wanted.map(() => '?').join(', ')})`, ...wanted);
  }
  if (vin !== undefined) add('vin = ?', vin);
  if (price_max !== undefined) add('price <= ?', price_max);
  if (year_min !== undefined) add('model_year >= ?', year_min);
  for (const word of query?.split(' ') ?? []) add('words ILIKE ?', `%${word}%`);
  return { where: parts.length === 0 ? '' : `WHERE ${parts.join(' AND ')}`, values };
}
