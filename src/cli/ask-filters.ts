import { type Command, InvalidArgumentError } from 'commander';

/** Option and filter of aap-v1.3 section 5; the name of an option is the filter's with hyphens, unless said. */
const LISTS = [
  ['make', 'make <name>', 'brand'],
  ['model', 'model <name>', 'model'],
  ['trim', 'trim <name>', 'trim level'],
  ['condition', 'condition <word>', 'new, used or cpo'],
  ['vehicle_type', 'vehicle-type <word>', 'car, motorcycle, trailer, rv or other'],
  ['transmission', 'transmission <word>', 'transmission'],
  ['fuel', 'fuel <word>', 'gas, diesel, hybrid, phev, bev'],
  ['charge_port', 'charge-port <word>', 'charging connector'],
  ['driveline', 'driveline <word>', 'driven wheels'],
  ['body', 'body <word>', 'body style'],
  ['exterior_color', 'exterior-color <color>', 'colour outside'],
  ['interior_color', 'interior-color <color>', 'colour inside'],
  ['rooftops', 'rooftop <name>', 'location, by its name in ask info'],
] as const;

const NUMBERS = [
  ['year_min', 'model year or later'],
  ['year_max', 'model year or earlier'],
  ['price_min', 'dollars at least'],
  ['price_max', 'dollars at most'],
  ['mileage_max', 'miles at most'],
  ['electric_range_mi_min', 'electric range, miles at least'],
  ['electric_range_mi_max', 'electric range, miles at most'],
  ['displacement_cc_min', 'displacement, cubic centimetres at least'],
  ['displacement_cc_max', 'displacement, cubic centimetres at most'],
] as const;

/** What commander read, by its names (`yearMin`, `rooftop`). */
export type FilterOptions = Readonly<Record<string, unknown>>;

/** All filters as options. Those of a list may be given several times; one of them is enough for a vehicle. */
export function withFilterOptions(command: Command): Command {
  for (const [, flags, text] of LISTS) command.option(`--${flags}`, `${text} (repeatable)`, collect);
  for (const [filter, text] of NUMBERS)
    command.option(`--${filter.replaceAll('_', '-')} <number>`, text, parseWhole);
  return command
    .option('--dc-fast-charge', 'only those that have it')
    .option('--vin <vin>', 'exactly this VIN')
    .option('--stock <number>', 'exactly this stock number')
    .option('--query <words>', 'free words');
}

export function filtersFrom(options: FilterOptions): Record<string, unknown> {
  const filters: Record<string, unknown> = {};
  for (const [filter, flags] of LISTS) filters[filter] = options[optionName(flags.split(' ')[0] ?? '')];
  for (const filter of [...NUMBERS.map(([name]) => name), 'dc_fast_charge', 'vin', 'stock', 'query']) {
    filters[filter] = options[optionName(filter.replaceAll('_', '-'))];
  }
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
}

/** For commander: a whole number from 0. */
export function parseWhole(text: string): number {
  const number = Number(text);
  if (/^\d{1,12}$/.test(text)) return number;
  throw new InvalidArgumentError('It must be a whole number, without commas.');
}

function collect(value: string, earlier: readonly string[] = []): string[] {
  return [...earlier, value];
}

function optionName(flag: string): string {
  return flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
