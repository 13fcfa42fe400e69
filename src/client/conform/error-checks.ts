import { listAt, textAt, valueAt } from '../json-value.ts';
import { allOf, expectThat, type Check } from './check.ts';
import { a2aRefusal, aapRefusal } from './expectations.ts';
import type { Probed } from './probe.ts';

/** The two shapes of errors and what they tell (aap-v1.3 section 3, A2A section 9.5). */
export const ERROR_CHECKS: readonly Check[] = [
  {
    id: 'ERR-01',
    promise: 'What A2A refuses carries an ErrorInfo of the domain a2a-protocol.org.',
    run: async (probe) => {
      const answer = await probe.send(probe.question, { headers: { 'a2a-version': '0.3' } });
      const domain = textAt(answer.error, 'data', 0, 'domain');
      return allOf(
        a2aRefusal(answer, -32009, 'VERSION_NOT_SUPPORTED'),
        expectThat(domain === 'a2a-protocol.org', 'the domain a2a-protocol.org', answer.error),
      );
    },
  },
  {
    id: 'ERR-02',
    promise: 'Each aap.error has an id of its own, and says that trying the same again does not help.',
    run: async (probe) => {
      const [first, second] = [
        await probe.send({ type: 'no.such.request' }),
        await probe.send({ type: 'no.such.request' }),
      ];
      return allOf(
        expectThat(errorId(first) !== undefined, 'an error_id', first.error),
        expectThat(errorId(first) !== errorId(second), 'another error_id each time', errorId(second)),
        expectThat(
          valueAt(first.error, 'data', 'retryable') === false,
          'retryable: false',
          valueAt(first.error, 'data', 'retryable'),
        ),
      );
    },
  },
  {
    id: 'ERR-07',
    promise: 'A type that is not served is UNSUPPORTED_SKILL.',
    run: async (probe) =>
      aapRefusal(await probe.send({ type: 'no.such.request' }), -32601, 'UNSUPPORTED_SKILL'),
  },
  {
    id: 'ERR-04',
    promise: 'All faults of a payload are told at once, each with its place.',
    run: async (probe) => {
      const answer = await probe.ask('inventory.search', {
        filters: { year_min: 'new', price_max: -1 },
        pagination: { limit: 0 },
      });
      const places = ['/filters/year_min', '/filters/price_max', '/pagination/limit'];
      const told = listAt(answer.error, 'data', 'details', 'errors').map((fault) =>
        textAt(fault, 'instanceLocation'),
      );
      return allOf(
        aapRefusal(answer, -32602, 'SCHEMA_VALIDATION_FAILED'),
        expectThat(
          places.every((place) => told.includes(place)),
          `details.errors names ${places.join(', ')}`,
          told,
        ),
      );
    },
  },
  {
    id: 'ERR-05',
    promise: 'One thing that is absent is MISSING_REQUIRED_FIELD.',
    run: async (probe) => aapRefusal(await probe.ask('inventory.vehicle'), -32602, 'MISSING_REQUIRED_FIELD'),
  },
  {
    id: 'ERR-06',
    promise: 'A condition of the wrong vocabulary is INVALID_CONDITION.',
    run: async (probe) =>
      aapRefusal(
        await probe.ask('inventory.search', { filters: { condition: ['excellent'] } }),
        -32602,
        'INVALID_CONDITION',
      ),
  },
];

function errorId({ error }: Probed): string | undefined {
  return textAt(error, 'data', 'error_id');
}
