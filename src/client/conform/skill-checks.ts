import { newMessageId } from '../../model/identifier.ts';
import type { SkillId } from '../../model/skill.ts';
import { isObject, listAt, numberAt, textAt, valueAt } from '../json-value.ts';
import { messageFaults, payloadFaults } from '../reply-faults.ts';
import { allOf, expectThat, noFaults, skipped, type Check, type Finding } from './check.ts';
import { aapRefusal, refusedWith, served } from './expectations.ts';
import type { Probe, Probed } from './probe.ts';

/** A sound VIN that no vehicle carries: its check digit is wrong. */
const UNUSED_VIN = '1ZZZZZZZ0ZZ000000';

/** dealer.information, inventory.facets and inventory.vehicle (aap-v1.3 section 5). */
export const SKILL_CHECKS: readonly Check[] = [
  {
    id: 'INF-01',
    promise: 'dealer.information keeps its schema and names every rooftop, each by a name of its own.',
    run: async (probe) => {
      const answer = await probe.ask('dealer.information');
      const names = listAt(answer.data, 'rooftops').map((rooftop) => textAt(rooftop, 'name'));
      return allOf(
        keepsSchema(answer, 'dealer.information'),
        expectThat(
          names.length > 0 && new Set(names).size === names.length,
          'rooftops with different names',
          names,
        ),
      );
    },
  },
  {
    id: 'RES-03',
    promise: 'Payload type and media type of a reply are those of its skill.',
    run: async (probe) => {
      const skills = (['dealer.information', 'inventory.facets', 'inventory.search'] as const).filter(
        (skill) => probe.agent.skills.includes(skill),
      );
      const findings: Finding[] = [];
      for (const skill of skills) {
        const { result, payload } = await probe.ask(skill);
        findings.push(
          expectThat(textAt(payload, 'type') === `${skill}.response`, `the type ${skill}.response`, payload),
          noFaults(`a message of ${skill}`, messageFaults(result, skill)),
        );
      }
      return findings.length === 0
        ? skipped('the agent offers none of the skills that read')
        : allOf(...findings);
    },
  },
  {
    id: 'FAC-01',
    promise: 'inventory.facets keeps its schema.',
    run: async (probe) => keepsSchema(await probe.ask('inventory.facets'), 'inventory.facets'),
  },
  {
    id: 'FAC-03',
    promise: 'The counts of a facet and the totals of a search agree.',
    run: async (probe) => {
      const facets = await probe.ask('inventory.facets');
      const statuses = terms(facets, 'statuses').reduce((sum, { count }) => sum + count, 0);
      const total = await searchTotal(probe, {});
      const [top] = terms(facets, 'makes');
      if (top === undefined)
        return expectThat(statuses === total, `${String(total)} vehicles over all statuses`, statuses);
      const ofMake = await searchTotal(probe, { make: [String(top.value)] });
      return allOf(
        expectThat(statuses === total, `${String(total)} vehicles over all statuses`, statuses),
        expectThat(ofMake === top.count, `${top.count} vehicles of make ${String(top.value)}`, ofMake),
      );
    },
  },
  {
    id: 'FAC-02',
    promise: 'Facets count the vehicles that match the filters.',
    run: async (probe) => {
      const [top] = terms(await probe.ask('inventory.facets'), 'makes');
      if (top === undefined) return skipped('the agent has no vehicles');
      const filtered = await probe.ask('inventory.facets', { filters: { make: [String(top.value)] } });
      const makes = terms(filtered, 'makes').map(({ value, count }) => `${String(value)} ${count}`);
      return expectThat(
        makes.length === 1 && makes[0] === `${String(top.value)} ${top.count}`,
        `only ${String(top.value)} ${top.count}`,
        makes,
      );
    },
  },
  {
    id: 'VEH-01',
    promise: 'inventory.vehicle finds by vin, stock and vehicle_id, and keeps its schema.',
    run: async (probe) => {
      const listings = listAt(
        (await probe.ask('inventory.search', { pagination: { limit: 100 } })).data,
        'vehicles',
      );
      const findings: Finding[] = [];
      for (const name of ['vin', 'stock', 'vehicle_id']) {
        const value = listings.map((listing) => textAt(listing, name)).find((text) => text !== undefined);
        if (value === undefined) continue;
        const answer = await probe.ask('inventory.vehicle', { [name]: value });
        findings.push(
          keepsSchema(answer, 'inventory.vehicle'),
          expectThat(textAt(answer.data, name) === value, `the vehicle with ${name} ${value}`, answer.data),
        );
      }
      return findings.length === 0 ? skipped('no vehicle with an identifier was found') : allOf(...findings);
    },
  },
  {
    id: 'VEH-04',
    promise: 'Search and inventory.vehicle tell the same listing, and of several identifiers the vin counts.',
    run: async (probe) => {
      const listings = listAt(
        (await probe.ask('inventory.search', { pagination: { limit: 100 } })).data,
        'vehicles',
      );
      const listing = listings.find(
        (one) => textAt(one, 'vin') !== undefined && textAt(one, 'stock') !== undefined,
      );
      const other = listings.find((one) => one !== listing && textAt(one, 'stock') !== undefined);
      if (listing === undefined || other === undefined)
        return skipped('no two vehicles with vin and stock were found');
      const request = { vin: textAt(listing, 'vin'), stock: textAt(other, 'stock') };
      const { data } = await probe.ask('inventory.vehicle', request);
      const same = ['vin', 'stock', 'make', 'model', 'price', 'list_price', 'mileage'].filter(
        (name) => valueAt(data, name) !== valueAt(listing, name),
      );
      return noFaults(
        `the listing of ${String(request.vin)} as in the search`,
        same.map((name) => `${name} differs`),
      );
    },
  },
  {
    id: 'VEH-02',
    promise: 'A vehicle that never was is VEHICLE_NOT_FOUND.',
    run: async (probe) =>
      allOf(
        aapRefusal(await probe.ask('inventory.vehicle', { vin: UNUSED_VIN }), -32000, 'VEHICLE_NOT_FOUND'),
        aapRefusal(
          await probe.ask('inventory.vehicle', { stock: `none-${newMessageId()}` }),
          -32000,
          'VEHICLE_NOT_FOUND',
        ),
      ),
  },
  {
    id: 'VEH-03',
    promise: 'A VIN in lower case is a fault of form.',
    run: async (probe) =>
      refusedWith(await probe.ask('inventory.vehicle', { vin: UNUSED_VIN.toLowerCase() }), -32602),
  },
];

/** A result came, and its payload is as the skill's response schema wants it. */
export function keepsSchema(answer: Probed, skill: SkillId): Finding {
  if (!isObject(answer.payload)) return allOf(served(answer), expectThat(false, 'a payload', answer.text));
  return allOf(served(answer), noFaults(`a payload of ${skill}`, payloadFaults(answer.payload, skill)));
}

async function searchTotal(probe: Probe, filters: object): Promise<number | undefined> {
  return numberAt(
    (await probe.ask('inventory.search', { filters, pagination: { limit: 100 } })).data,
    'total',
  );
}

/** Entries of a term facet, most frequent first. */
function terms({ data }: Probed, facet: string): { value: string | number; count: number }[] {
  return listAt(data, facet)
    .flatMap((entry) => {
      const value = textAt(entry, 'value') ?? numberAt(entry, 'value');
      return value === undefined ? [] : [{ value, count: numberAt(entry, 'count') ?? 0 }];
    })
    .sort((one, other) => other.count - one.count);
}
