import { listAt, numberAt, textAt, valueAt } from '../json-value.ts';
import { allOf, expectThat, noFaults, skipped, type Check, type Finding } from './check.ts';
import { aapRefusal, refusedWith, served } from './expectations.ts';
import type { Probe, Probed } from './probe.ts';
import { keepsSchema } from './skill-checks.ts';

const PAGE = 100;
const STATUSES = ['available', 'intransit', 'pending'];

interface Answered {
  answer: Probed;
  total: number;
  vehicles: readonly unknown[];
}

/** inventory.search on what is on the lot at this moment (aap-v1.3 section 5). */
export const SEARCH_CHECKS: readonly Check[] = [
  {
    id: 'SEA-01',
    promise: 'inventory.search keeps its schema; skip is 0 and limit 20 unless asked otherwise.',
    run: async (probe) => {
      const answer = await probe.ask('inventory.search');
      return allOf(
        keepsSchema(answer, 'inventory.search'),
        expectThat(numberAt(answer.data, 'skip') === 0, 'skip 0', valueAt(answer.data, 'skip')),
        expectThat(numberAt(answer.data, 'limit') === 20, 'limit 20', valueAt(answer.data, 'limit')),
        expectThat(listAt(answer.data, 'vehicles').length <= 20, 'at most 20 vehicles', 'more'),
      );
    },
  },
  {
    id: 'SEA-02',
    promise: 'A limit above 100 is cut to 100 at most, and the reply says to what.',
    run: async (probe) => {
      const { answer, vehicles } = await search(probe, { pagination: { limit: 1000 } });
      const limit = numberAt(answer.data, 'limit') ?? Infinity;
      return allOf(
        served(answer),
        expectThat(limit <= 100, 'a limit of at most 100', valueAt(answer.data, 'limit')),
        expectThat(vehicles.length <= limit, `at most ${limit} vehicles`, vehicles.length),
      );
    },
  },
  {
    id: 'SEA-03',
    promise: 'An unknown filter is SCHEMA_VALIDATION_FAILED.',
    run: async (probe) =>
      aapRefusal(
        await probe.ask('inventory.search', { filters: { maker: ['Honda'] } }),
        -32602,
        'SCHEMA_VALIDATION_FAILED',
      ),
  },
  {
    id: 'SEA-04',
    promise: 'Every listing has one of the three statuses and the time of its last confirmation.',
    run: async (probe) => {
      const { answer, vehicles } = await search(probe, { pagination: { limit: PAGE } });
      return allOf(
        served(answer),
        holdsForAll(vehicles, 'status and updated_at', (vehicle) => {
          const status = textAt(vehicle, 'status') ?? '';
          return STATUSES.includes(status) && !Number.isNaN(Date.parse(textAt(vehicle, 'updated_at') ?? ''));
        }),
      );
    },
  },
  {
    id: 'SEA-05',
    promise: 'Every vehicle found meets the filters, whatever their case; an empty list asks for nothing.',
    run: async (probe) => {
      const all = await search(probe, { pagination: { limit: PAGE } });
      const make = all.vehicles.map((vehicle) => textAt(vehicle, 'make')).find((text) => text !== undefined);
      if (make === undefined) return skipped('the agent has no vehicle with a make');
      const shouted = await search(probe, {
        filters: { make: [` ${make.toUpperCase()} `] },
        pagination: { limit: PAGE },
      });
      const plain = await search(probe, { filters: { make: [make] }, pagination: { limit: PAGE } });
      const open = await search(probe, { filters: { make: [] }, pagination: { limit: PAGE } });
      return allOf(
        holdsForAll(
          plain.vehicles,
          `make ${make}`,
          (vehicle) => textAt(vehicle, 'make')?.toLowerCase() === make.toLowerCase(),
        ),
        expectThat(plain.total > 0, `vehicles of make ${make}`, 'none'),
        expectThat(shouted.total === plain.total, `${plain.total} vehicles in capitals, too`, shouted.total),
        expectThat(open.total === all.total, `${all.total} vehicles for an empty list`, open.total),
      );
    },
  },
  {
    id: 'SEA-06',
    promise:
      'Limits on year, price and mileage are kept and inclusive; what has no price is never within one.',
    run: async (probe) => {
      const { vehicles } = await search(probe, { pagination: { limit: PAGE } });
      const findings: Finding[] = [];
      for (const [field, low, high] of RANGES) {
        const bound = middle(vehicles, field);
        if (bound === undefined) continue;
        for (const [filter, isWithin] of [
          [low, (value: number) => value >= bound],
          [high, (value: number) => value <= bound],
        ] as const) {
          if (filter === undefined) continue;
          const found = await search(probe, { filters: { [filter]: bound }, pagination: { limit: PAGE } });
          findings.push(
            served(found.answer),
            expectThat(found.total > 0, `vehicles with ${filter} ${bound}, a value that one has`, 'none'),
            holdsForAll(found.vehicles, `${filter} ${bound}`, (vehicle) => {
              const value = numberAt(vehicle, field);
              return value !== undefined && isWithin(value);
            }),
          );
        }
      }
      return findings.length === 0 ? skipped('no vehicle with year, price or mileage') : allOf(...findings);
    },
  },
  {
    id: 'SEA-07',
    promise: 'Sorting by price goes up or down as asked; vehicles without a price come last both ways.',
    run: async (probe) => {
      const findings: Finding[] = [];
      for (const order of ['asc', 'desc'] as const) {
        const first = await search(probe, { sort: { field: 'price', order }, pagination: { limit: PAGE } });
        const rest = Math.max(first.total - PAGE, 0);
        const last =
          rest === 0
            ? []
            : (
                await search(probe, {
                  sort: { field: 'price', order },
                  pagination: { skip: rest, limit: PAGE },
                })
              ).vehicles;
        findings.push(served(first.answer), isSorted(first.vehicles, order), isSorted(last, order));
      }
      return allOf(...findings);
    },
  },
  {
    id: 'SEA-08',
    promise: 'Pages follow each other: together they are what one longer page is.',
    run: async (probe) => {
      const sort = { field: 'make', order: 'asc' };
      const whole = await search(probe, { sort, pagination: { skip: 0, limit: 10 } });
      const front = await search(probe, { sort, pagination: { skip: 0, limit: 5 } });
      const back = await search(probe, { sort, pagination: { skip: 5, limit: 5 } });
      const beyond = await search(probe, { sort, pagination: { skip: whole.total, limit: 5 } });
      const joined = [...front.vehicles, ...back.vehicles].map(identity);
      return allOf(
        served(whole.answer),
        expectThat(
          joined.join() === whole.vehicles.map(identity).join(),
          'the ten of the longer page',
          joined,
        ),
        expectThat(beyond.vehicles.length === 0, 'no vehicle beyond the last', beyond.vehicles.length),
        expectThat(beyond.total === whole.total, `a total of ${whole.total} on every page`, beyond.total),
      );
    },
  },
  {
    id: 'SEA-09',
    promise: 'Nothing found is an answer, and odd characters in a query are no fault; too long a query is.',
    run: async (probe) => {
      const nothing = await search(probe, { filters: { query: 'qzxjvwk', price_max: 0 } });
      const odd = await probe.ask('inventory.search', { filters: { query: '"*() OR -:^% \u202e 🚗' } });
      return allOf(
        served(nothing.answer),
        expectThat(nothing.total === 0, 'a total of 0', nothing.total),
        served(odd),
        refusedWith(await probe.ask('inventory.search', { filters: { query: 'x'.repeat(201) } }), -32602),
      );
    },
  },
];

const RANGES = [
  ['year', 'year_min', 'year_max'],
  ['price', 'price_min', 'price_max'],
  ['mileage', undefined, 'mileage_max'],
] as const;

async function search(probe: Probe, request: object): Promise<Answered> {
  const answer = await probe.ask('inventory.search', request);
  return { answer, total: numberAt(answer.data, 'total') ?? 0, vehicles: listAt(answer.data, 'vehicles') };
}

function holdsForAll(
  vehicles: readonly unknown[],
  expected: string,
  holds: (vehicle: unknown) => boolean,
): Finding {
  const breaking = vehicles.filter((vehicle) => !holds(vehicle)).map(identity);
  return noFaults(`only vehicles with ${expected}`, breaking);
}

/** A value that a vehicle in the middle has; undefined when none has any. */
function middle(vehicles: readonly unknown[], field: string): number | undefined {
  const values = vehicles
    .flatMap((vehicle) => numberAt(vehicle, field) ?? [])
    .sort((one, other) => one - other);
  return values[Math.floor(values.length / 2)];
}

function isSorted(vehicles: readonly unknown[], order: 'asc' | 'desc'): Finding {
  const missing = order === 'asc' ? Infinity : -Infinity;
  const prices = vehicles.map((vehicle) => numberAt(vehicle, 'price') ?? missing);
  const place = prices.findIndex((price, index) => {
    const before = prices[index - 1] ?? price;
    return order === 'asc' ? price < before : price > before;
  });
  if (place === -1) return expectThat(true, '', '');
  const came = vehicles
    .slice(place - 1, place + 1)
    .map((vehicle) => numberAt(vehicle, 'price') ?? 'no price');
  return expectThat(
    false,
    `prices ${order === 'asc' ? 'going up' : 'going down'}, none at the end`,
    came.join(', then '),
  );
}

function identity(vehicle: unknown): string {
  return (
    textAt(vehicle, 'vin') ??
    textAt(vehicle, 'stock') ??
    textAt(vehicle, 'vehicle_id') ??
    JSON.stringify(vehicle)
  );
}
