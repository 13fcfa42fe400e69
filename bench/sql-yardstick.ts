import Database from 'better-sqlite3';
import type { Filters } from '../src/inventory/inventory.ts';
import type { StagedVehicle } from '../src/model/intake.ts';

/** What one would write without the lot: one SQLite table, indexes on the usual columns, FTS5 for free text. */
export interface SqlYardstick {
  total(filters: Filters): number;
  page(filters: Filters): string[];
  facets(filters: Filters): unknown[];
  close(): void;
}

const TERMS = [
  ...['make', 'model', 'trim', 'year', 'condition', 'transmission', 'fuel', 'dc_fast_charge', 'charge_port'],
  ...['driveline', 'body', 'vehicle_type', 'exterior_color', 'interior_color', 'rooftop', 'status'],
];
const NUMBERS = ['price', 'mileage', 'displacement_cc', 'electric_range_mi'];
const RANGES = [...NUMBERS, 'year'];
const COLUMNS = [...TERMS, ...NUMBERS, 'vin'];
const TEXT_FIELDS = [
  'make',
  'model',
  'trim',
  'body',
  'year',
  'stock',
  'exterior_color',
  'features',
  'description',
] as const;

export function openSqlYardstick(file: string, vehicles: readonly StagedVehicle[]): SqlYardstick {
  const database = new Database(file);
  database.pragma('journal_mode = WAL');
  database.pragma('cache_size = -200000');
  const columns = COLUMNS.map((column) => `${column} COLLATE NOCASE`).join(', ');
  database.exec(`
    CREATE TABLE car (id INTEGER PRIMARY KEY, ${columns});
    CREATE TABLE text (id INTEGER PRIMARY KEY, json TEXT);
    CREATE VIRTUAL TABLE words USING fts5 (texts, content = '', prefix = '2 3')`);
  fill(database, vehicles);
  for (const column of ['make', 'model', 'condition', 'price', 'vin', 'year']) {
    database.exec(`CREATE INDEX car_${column} ON car (${column})`);
  }
  database.exec('CREATE INDEX car_make_price ON car (make, condition, price); ANALYZE');
  return {
    total: (filters) => {
      const { where, values } = condition(filters);
      return Number(
        database
          .prepare(`SELECT COUNT(*) FROM car ${where}`)
          .pluck()
          .get(...values),
      );
    },
    page: (filters) => {
      const { where, values } = condition(filters);
      database
        .prepare(`SELECT COUNT(*) FROM car ${where}`)
        .pluck()
        .get(...values);
      const sql = `SELECT json FROM (SELECT id FROM car ${where} ORDER BY price IS NULL, price, id LIMIT 20) JOIN text USING (id)`;
      return database
        .prepare<unknown[], string>(sql)
        .pluck()
        .all(...values);
    },
    facets: (filters) => {
      const { where, values } = condition(filters);
      const terms = TERMS.map((term) =>
        database
          .prepare(
            `SELECT ${term}, COUNT(*) AS cars FROM car ${where} GROUP BY ${term} ORDER BY cars DESC, ${term}`,
          )
          .raw()
          .all(...values),
      );
      const ends = RANGES.map((range) => `MIN(${range}), MAX(${range})`).join(', ');
      return [
        ...terms,
        database
          .prepare(`SELECT ${ends} FROM car ${where}`)
          .raw()
          .get(...values),
      ];
    },
    close: () => database.close(),
  };
}

function fill(database: Database.Database, vehicles: readonly StagedVehicle[]): void {
  const marks = COLUMNS.map(() => '?').join(', ');
  const car = database.prepare(`INSERT INTO car VALUES (?, ${marks})`);
  const text = database.prepare('INSERT INTO text VALUES (?, ?)');
  const words = database.prepare('INSERT INTO words (rowid, texts) VALUES (?, ?)');
  database.transaction(() => {
    for (const [index, { vehicle }] of vehicles.entries()) {
      const known: Record<string, unknown> = { vehicle_type: 'car', ...vehicle };
      car.run(index + 1, ...COLUMNS.map((column) => sqlValue(known[column])));
      text.run(index + 1, JSON.stringify(vehicle));
      words.run(index + 1, TEXT_FIELDS.map((field) => String(vehicle[field] ?? '')).join(' '));
    }
  })();
}

function sqlValue(value: unknown): unknown {
  return typeof value === 'boolean' ? String(value) : (value ?? null);
}

function condition(filters: Filters): { where: string; values: unknown[] } {
  const parts: string[] = [];
  const values: unknown[] = [];
  const add = (part: string, ...added: readonly unknown[]): void => {
    parts.push(part);
    values.push(...added);
  };
  for (const term of ['make', 'condition', 'exterior_color', 'body'] as const) {
    const wanted = filters[term];
    if (wanted !== undefined) add(`${term} IN (${wanted.map(() => '?').join(', ')})`, ...wanted);
  }
  if (filters.price_max !== undefined) add('price <= ?', filters.price_max);
  if (filters.year_min !== undefined) add('year >= ?', filters.year_min);
  if (filters.vin !== undefined) add('vin = ?', filters.vin);
  if (filters.query !== undefined)
    add('id IN (SELECT rowid FROM words WHERE words MATCH ?)', `${filters.query}*`);
  return { where: parts.length === 0 ? '' : `WHERE ${parts.join(' AND ')}`, values };
}
