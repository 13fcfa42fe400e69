import type {
  Blame,
  Constraint,
  Filters,
  NoMatch,
  RangeFacet,
  TermFacet,
} from '../../inventory/inventory.ts';
import { oneLine } from './one-line.ts';

/** How a value is called, one and many. */
const TERM_NAMES: Readonly<Partial<Record<Constraint, readonly [one: string, many: string]>>> = {
  make: ['make', 'makes'],
  model: ['model', 'models'],
  trim: ['trim', 'trims'],
  condition: ['condition', 'conditions'],
  vehicle_type: ['vehicle type', 'vehicle types'],
  transmission: ['transmission', 'transmissions'],
  fuel: ['fuel', 'fuels'],
  charge_port: ['charge port', 'charge ports'],
  driveline: ['driveline', 'drivelines'],
  body: ['body', 'bodies'],
  exterior_color: ['exterior color', 'exterior colors'],
  interior_color: ['interior color', 'interior colors'],
  rooftops: ['rooftop', 'rooftops'],
};

const CROSSED = '; the lower limit is above the upper one';

const MOST_NAMED = 2;
const MOST_OFFERED = 5;
const MOST_CHARACTERS = 24;

/** Why a search found nothing and what is nearest, without the full stop. */
export function noMatchText(filters: Filters, why: NoMatch): string {
  switch (why.kind) {
    case 'empty_lot':
      return 'No vehicle is on the lot at the moment';
    case 'together':
      return 'No vehicle matches all filters, and none does when any one of them is left away';
    case 'alone': {
      const asked = askedText(filters, why);
      const subject = why.constraint === 'make' ? asked : `vehicle ${asked}`;
      return `No ${subject}${insteadText(filters, why, 'on the lot')}`;
    }
    case 'without': {
      const remaining = why.total === 1 ? 'one vehicle does' : `${groups(why.total)} vehicles do`;
      const left = `No vehicle matches all filters; without "${askedText(filters, why)}" ${remaining}`;
      return `${left}${insteadText(filters, why, 'there')}`;
    }
  }
}

/** What the constraint asks for, as it follows "no vehicle". */
function askedText(filters: Filters, { constraint, word }: Blame): string {
  switch (constraint) {
    case 'price':
      return rangeText(filters.price_min, filters.price_max, dollars);
    case 'mileage':
      return `under ${miles(filters.mileage_max ?? 0)}`;
    case 'year':
      return yearText(filters.year_min, filters.year_max);
    case 'displacement_cc':
      return `of ${rangeText(filters.displacement_cc_min, filters.displacement_cc_max, cubicCentimetres)}`;
    case 'electric_range_mi':
      return `with an electric range ${rangeText(filters.electric_range_mi_min, filters.electric_range_mi_max, miles)}`;
    case 'dc_fast_charge':
      return filters.dc_fast_charge === true ? 'with DC fast charging' : 'said to have no DC fast charging';
    case 'vin':
      return `with VIN ${told(filters.vin)}`;
    case 'stock':
      return `with stock number ${told(filters.stock)}`;
    case 'query':
      return word === undefined ? `with all words of ${told(filters.query)}` : `with the word ${told(word)}`;
    case 'make':
      return anyOf(filters.make);
    case 'rooftops':
      return `at ${anyOf(filters.rooftops)}`;
    default:
      return `with ${TERM_NAMES[constraint]?.[0] ?? constraint} ${anyOf(filters[constraint])}`;
  }
}

/** What there is instead, from its semicolon on; nothing where nothing can be offered. */
function insteadText(filters: Filters, blame: Blame, place: string): string {
  const offer = offerText(filters, blame, place);
  return offer === CROSSED ? offer : `${offer}${untoldText(blame)}`;
}

/** Of those that say nothing, nobody can say that they are not what is wanted. */
function untoldText({ constraint, untold }: Blame): string {
  const what = TERM_NAMES[constraint]?.[0] ?? constraint;
  if (untold === undefined) return '';
  return untold === 1
    ? `, and one vehicle lists no ${what}`
    : `, and ${groups(untold)} vehicles list no ${what}`;
}

function offerText(filters: Filters, { constraint, facet, likeNames, word }: Blame, place: string): string {
  const names = TERM_NAMES[constraint];
  if (names !== undefined) {
    const where = likeNames === true ? `of a like name ${place}` : place;
    return offeredTerms(names, facet as TermFacet[] | undefined, where);
  }
  switch (constraint) {
    case 'price':
      return offeredRange(
        facet,
        bounds(filters.price_min, filters.price_max),
        dollars,
        'shows a price',
        place,
      );
    case 'mileage':
      return offeredRange(facet, 'upper', miles, 'tells its mileage', place);
    case 'year':
      return offeredYears(facet, bounds(filters.year_min, filters.year_max), place);
    case 'displacement_cc': {
      const asked = bounds(filters.displacement_cc_min, filters.displacement_cc_max);
      return offeredRange(facet, asked, cubicCentimetres, 'tells its displacement', place);
    }
    case 'electric_range_mi': {
      const asked = bounds(filters.electric_range_mi_min, filters.electric_range_mi_max);
      return offeredRange(facet, asked, miles, 'tells its electric range', place);
    }
    case 'query':
      return word !== undefined && /^\d+$/.test(word)
        ? '; prices, years and mileage have filters of their own'
        : '';
    default:
      return '';
  }
}

function offeredTerms(
  [one, many]: readonly [string, string],
  facet: readonly TermFacet[] = [],
  place: string,
): string {
  const values = facet.slice(0, MOST_OFFERED).map(({ value }) => shown(String(value)));
  const [first] = values;
  if (first === undefined) return `; none tells its ${one}`;
  if (values.length === 1) return `; the only ${one} ${place} is ${first}`;
  const others = facet.length > MOST_OFFERED ? ' and others' : '';
  return `; ${many} ${place} are ${values.join(', ')}${others}`;
}

type Bounds = 'lower' | 'upper' | 'both' | 'crossed';

function bounds(min: number | undefined, max: number | undefined): Bounds {
  if (min === undefined) return 'upper';
  if (max === undefined) return 'lower';
  return min <= max ? 'both' : 'crossed';
}

function offeredRange(
  facet: Blame['facet'],
  asked: Bounds,
  unit: (amount: number) => string,
  nothing: string,
  place: string,
): string {
  if (asked === 'crossed') return CROSSED;
  if (facet === undefined) return `; none ${nothing}`;
  const { min, max } = facet as RangeFacet;
  if (asked === 'both') return `; the range ${place} is ${unit(min)} to ${unit(max)}`;
  return asked === 'upper'
    ? `; the lowest ${place} is ${unit(min)}`
    : `; the highest ${place} is ${unit(max)}`;
}

function offeredYears(facet: Blame['facet'], asked: Bounds, place: string): string {
  return offeredRange(facet, asked, String, 'tells its year', place)
    .replace('the lowest', 'the oldest')
    .replace('the highest', 'the newest');
}

function yearText(min: number | undefined, max: number | undefined): string {
  if (min === undefined) return `of model year ${max ?? ''} or older`;
  return `of model year ${max === undefined ? `${min} or newer` : `${min} to ${max}`}`;
}

function rangeText(
  min: number | undefined,
  max: number | undefined,
  unit: (amount: number) => string,
): string {
  if (min === undefined) return `under ${unit(max ?? 0)}`;
  return max === undefined ? `over ${unit(min)}` : `from ${unit(min)} to ${unit(max)}`;
}

/** Values as the shopper wrote them. */
function anyOf(values: readonly string[] = []): string {
  const named = values.slice(0, MOST_NAMED).map(nameText).join(' or ');
  return values.length > MOST_NAMED ? `${named} or ${values.length - MOST_NAMED} others` : named;
}

/** What nobody would see in a sentence stands in quotes. */
function nameText(text: string): string {
  return shown(text) === '' ? told(text) : shown(text);
}

function told(text = ''): string {
  return `“${shown(text)}”`;
}

function shown(text: string): string {
  return oneLine(text, MOST_CHARACTERS);
}

function dollars(amount: number): string {
  return `$${groups(amount)}`;
}

function miles(amount: number): string {
  return amount === 1 ? '1 mile' : `${groups(amount)} miles`;
}

function cubicCentimetres(amount: number): string {
  return `${groups(amount)} cc`;
}

function groups(amount: number): string {
  return amount.toLocaleString('en-US');
}
