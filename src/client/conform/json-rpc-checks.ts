import { valueAt } from '../json-value.ts';
import { allOf, expectThat, PASSED, type Check, type Finding } from './check.ts';
import { a2aRefusal, refusedWith, served, summary } from './expectations.ts';
import { callWith, type Probe, type Probed } from './probe.ts';

const ODD_IDS: readonly unknown[] = [null, 0, '', -1.5];

/** JSON-RPC 2.0 and its edges. */
export const JSON_RPC_CHECKS: readonly Check[] = [
  {
    id: 'RPC-01',
    promise: 'Broken JSON is answered with -32700, id null and HTTP 200.',
    run: async (probe) => {
      const answer = await probe.post('{"jsonrpc":"2.0","id":1,');
      return allOf(
        refusedWith(answer, -32700),
        idIs(answer, null),
        expectThat(answer.status === 200, 'HTTP 200', `HTTP ${answer.status}`),
      );
    },
  },
  {
    id: 'RPC-02',
    promise: 'An empty body is a parse error or an invalid request.',
    run: async (probe) => refusedWith(await probe.post(''), -32700, -32600),
  },
  {
    id: 'RPC-03',
    promise: 'A body that is no object is refused, id null.',
    run: async (probe) => {
      const answer = await probe.post('5');
      return allOf(refusedWith(answer, -32600, -32700), idIs(answer, null));
    },
  },
  {
    id: 'RPC-04',
    promise: 'Batches, also the empty one, are refused with one -32600.',
    run: async (probe) =>
      allOf(
        refusedWith(await probe.post('[]'), -32600),
        refusedWith(await probe.post([callWith(probe.question)]), -32600),
      ),
  },
  {
    id: 'RPC-05',
    promise: 'Without jsonrpc 2.0 a call is invalid.',
    run: (probe) => bent(probe, { jsonrpc: '1.0' }, -32600),
  },
  {
    id: 'RPC-05',
    promise: 'A method that is no text is invalid.',
    run: (probe) => bent(probe, { method: 7 }, -32600),
  },
  {
    id: 'RPC-06',
    promise: 'An id that is no text and no number is invalid and not echoed.',
    run: async (probe) => {
      const answer = await probe.post({ ...callWith(probe.question), id: { a: 1 } });
      return allOf(refusedWith(answer, -32600), idIs(answer, null));
    },
  },
  {
    id: 'RPC-08',
    promise:
      'Ids are echoed as they came: also null, 0, an empty text, and numbers below zero or with a fraction.',
    run: async (probe) => {
      for (const id of ODD_IDS) {
        const answer = await probe.post({ ...callWith(probe.question), id });
        const finding = allOf(served(answer), idIs(answer, id));
        if (finding.outcome !== 'passed') return finding;
      }
      return PASSED;
    },
  },
  {
    id: 'RPC-09',
    promise: 'An id that JSON can not carry without rounding is not answered under another id.',
    run: async (probe) => {
      const call = JSON.stringify({ ...callWith(probe.question), id: 0 }).replace(
        '"id":0',
        '"id":9007199254740993',
      );
      const answer = await probe.post(call);
      const isExact = answer.text.includes('9007199254740993');
      return isExact ? PASSED : allOf(refusedWith(answer, -32600), idIs(answer, null));
    },
  },
  {
    id: 'RPC-11',
    promise: 'A key __proto__ in a payload is a fault of the caller.',
    run: async (probe) => {
      const call = JSON.stringify(callWith({ ...probe.question, extra: 0 })).replace(
        '"extra":0',
        '"__proto__":{"a":1}',
      );
      return refusedWith(await probe.post(call), -32602);
    },
  },
  {
    id: 'RPC-14',
    promise: 'A byte order mark is dropped.',
    run: async (probe) => served(await probe.post(`\uFEFF${JSON.stringify(callWith(probe.question))}`)),
  },
  {
    id: 'RPC-07',
    promise: 'A call without id is not answered.',
    run: async (probe) => {
      const { id: _, ...notification } = callWith(probe.question);
      const answer = await probe.post(notification);
      const isSilent = answer.text === '' && answer.status < 300;
      return isSilent ? PASSED : refusedWith(answer, -32600);
    },
  },
  {
    id: 'RPC-15',
    promise: 'An unknown method, such as one of A2A 0.3, is -32601.',
    run: (probe) => bent(probe, { method: 'message/send' }, -32601),
  },
  {
    id: 'RPC-12',
    promise: 'Names that every object has are neither methods nor skills.',
    run: async (probe) => {
      const method = await bent(probe, { method: 'constructor' }, -32601);
      const skill = await probe.send({ type: 'constructor' });
      return allOf(method, refusedWith(skill, -32601, -32602));
    },
  },
  {
    id: 'MTH-01',
    promise: 'Streaming is refused with -32004.',
    run: async (probe) =>
      a2aRefusal(
        await probe.post({ ...callWith(probe.question), method: 'SendStreamingMessage' }),
        -32004,
        'UNSUPPORTED_OPERATION',
      ),
  },
  {
    id: 'MTH-03',
    promise: 'There are no tasks to get or to list, and nobody else’s messages.',
    run: async (probe) => {
      const get = await bent(probe, { method: 'GetTask', params: { id: 'none' } }, -32004, -32001);
      return get.outcome === 'passed' ? bent(probe, { method: 'ListTasks', params: {} }, -32004) : get;
    },
  },
  {
    id: 'MTH-02',
    promise: 'Push notification settings are refused with -32003.',
    run: (probe) => bent(probe, { method: 'CreateTaskPushNotificationConfig', params: {} }, -32003),
  },
  {
    id: 'RPC-13',
    promise: 'Deep nesting is refused as a fault of the caller.',
    run: async (probe) => {
      const nested = `${'['.repeat(3000)}${']'.repeat(3000)}`;
      const call = JSON.stringify(callWith({ ...probe.question, extra: 0 })).replace(
        '"extra":0',
        `"extra":${nested}`,
      );
      return refusedWith(await probe.post(call), -32602, -32600, -32700);
    },
  },
];

async function bent(probe: Probe, change: object, ...codes: number[]): Promise<Finding> {
  return refusedWith(await probe.post({ ...callWith(probe.question), ...change }), ...codes);
}

function idIs(answer: Probed, id: unknown): Finding {
  const has = answer.reply !== undefined && Object.hasOwn(answer.reply, 'id');
  return expectThat(
    has && valueAt(answer.reply, 'id') === id,
    `the id ${JSON.stringify(id)}`,
    has ? valueAt(answer.reply, 'id') : summary(answer),
  );
}
