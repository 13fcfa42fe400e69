import { type Command, Option } from 'commander';
import { listAt, numberAt, textAt } from '../client/json-value.ts';
import { SORT_FIELDS } from '../inventory/inventory.ts';
import { type FilterOptions, filtersFrom, parseWhole, withFilterOptions } from './ask-filters.ts';
import { type AskOptions, withAgent, withAskOptions } from './ask-options.ts';
import { askAndPrint } from './ask-reply.ts';
import { type Column, terminalWidth, textTable } from './text-table.ts';

interface SearchOptions {
  sort?: string;
  order: string;
  skip?: number;
  limit?: number;
}

/** `ask search`: vehicles, page by page (inventory.search). */
export function addAskSearchCommand(ask: Command): void {
  withFilterOptions(withAskOptions(ask.command('search')))
    .summary('search the vehicles')
    .description('Searches the vehicles for sale. Vehicles without the field they are sorted by come last.')
    .addOption(new Option('--sort <field>', 'order by').choices(SORT_FIELDS))
    .addOption(new Option('--order <order>', 'up or down').choices(['asc', 'desc']).default('asc'))
    .option('--skip <number>', 'pass over so many', parseWhole)
    .option('--limit <number>', 'show so many at most', parseWhole)
    .action((options: AskOptions & FilterOptions & SearchOptions) =>
      withAgent(options, (opened) =>
        askAndPrint(opened, 'inventory.search', requestFrom(options), options, showVehicles),
      ),
    );
}

function requestFrom(options: FilterOptions & SearchOptions): object {
  const { sort, order, skip, limit } = options;
  const pagination = { ...(skip === undefined ? {} : { skip }), ...(limit === undefined ? {} : { limit }) };
  return {
    filters: filtersFrom(options),
    ...(Object.keys(pagination).length === 0 ? {} : { pagination }),
    ...(sort === undefined ? {} : { sort: { field: sort, order } }),
  };
}

const COLUMNS: readonly Column[] = [
  { title: 'VIN', whole: true },
  { title: 'Stock', whole: true },
  { title: 'Year', align: 'right' },
  { title: 'Make' },
  { title: 'Model' },
  { title: 'Trim', dispensable: 2 },
  { title: 'Condition', dispensable: 1 },
  { title: 'Miles', align: 'right' },
  { title: 'Price', align: 'right', whole: true },
  { title: 'List price', align: 'right', dispensable: 3 },
  { title: 'Status', dispensable: 4 },
  { title: 'Rooftop', dispensable: 5 },
];

function showVehicles(data: unknown): string {
  const vehicles = listAt(data, 'vehicles');
  const total = numberAt(data, 'total') ?? 0;
  const skip = numberAt(data, 'skip') ?? 0;
  if (vehicles.length === 0) return `${total} vehicles; none on this page.`;
  const page = `${skip + 1} to ${skip + vehicles.length} of ${total} vehicles`;
  return `${textTable(COLUMNS, vehicles.map(vehicleCells), terminalWidth())}\n\n${page}`;
}

function vehicleCells(vehicle: unknown): string[] {
  const text = (name: string): string => textAt(vehicle, name) ?? '';
  return [
    text('vin'),
    text('stock'),
    String(numberAt(vehicle, 'year') ?? ''),
    text('make'),
    text('model'),
    text('trim'),
    text('condition'),
    grouped(numberAt(vehicle, 'mileage')),
    dollars(numberAt(vehicle, 'price')),
    dollars(numberAt(vehicle, 'list_price')),
    text('status'),
    text('rooftop'),
  ];
}

function dollars(amount: number | undefined): string {
  return amount === undefined ? '' : `$${grouped(amount)}`;
}

function grouped(number: number | undefined): string {
  return number === undefined ? '' : number.toLocaleString('en-US');
}
