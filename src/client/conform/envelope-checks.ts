import { isObject, listAt, textAt, valueAt } from '../json-value.ts';
import { messageFaults } from '../reply-faults.ts';
import { allOf, expectThat, noFaults, PASSED, type Check, type Finding } from './check.ts';
import { aapRefusal, refusedWith, served, summary } from './expectations.ts';
import { callWith, type Call, type Probe } from './probe.ts';

const MESSAGE_MEMBERS = [
  'messageId',
  'contextId',
  'taskId',
  'role',
  'parts',
  'metadata',
  'extensions',
  'referenceTaskIds',
];
const PART_MEMBERS = ['text', 'raw', 'url', 'data', 'mediaType', 'filename', 'metadata'];

/** The message around request and reply (aap-v1.3 section 2, A2A section 4). */
export const ENVELOPE_CHECKS: readonly Check[] = [
  {
    id: 'RES-01',
    promise:
      'A reply is one message: id, context, role ROLE_AGENT, a data part of the right media type, no task.',
    run: async (probe) => {
      const answer = await probe.ask(probe.readingSkill);
      return allOf(
        served(answer),
        noFaults('a message', messageFaults(answer.result, probe.readingSkill)),
        noFaults('no members beside those of A2A', strangers(answer.reply)),
      );
    },
  },
  {
    id: 'RES-01',
    promise: 'Each reply has a messageId of its own.',
    run: async (probe) => {
      const first = textAt((await probe.send(probe.question)).result, 'message', 'messageId');
      const second = textAt((await probe.send(probe.question)).result, 'message', 'messageId');
      return expectThat(first !== undefined && first !== second, 'two messageIds', { first, second });
    },
  },
  {
    id: 'RES-02',
    promise: 'The contextId of a call is kept, or refused; never replaced.',
    run: async (probe) => {
      const answer = await bend(probe, ({ params }) => (params.message.contextId = 'conform-context'));
      const came = textAt(answer.result, 'message', 'contextId');
      return expectThat(
        answer.error !== undefined || came === 'conform-context',
        'contextId conform-context',
        came ?? summary(answer),
      );
    },
  },
  {
    id: 'MSG-02',
    promise: 'Text parts are passed over: the first data part is the request.',
    run: async (probe) =>
      served(await bend(probe, ({ params }) => params.message.parts.unshift({ text: 'What have you got?' }))),
  },
  {
    id: 'MSG-03',
    promise:
      'Members by their proto names, the role as a number, null for unset and unknown members are taken.',
    run: async (probe) =>
      served(
        await bend(probe, ({ params }) => {
          const { messageId, parts } = params.message;
          Object.assign(params, {
            message: { message_id: messageId, role: 1, parts, contextId: null, unheardOf: true },
            unheardOf: {},
          });
        }),
      ),
  },
  {
    id: 'MSG-06',
    promise: 'A call without a message is -32602.',
    run: async (probe) =>
      refusedWith(await bend(probe, (call) => Object.assign(call, { params: {} })), -32602),
  },
  {
    id: 'MSG-06',
    promise: 'A role other than ROLE_USER is -32602.',
    run: async (probe) =>
      refusedWith(await bend(probe, ({ params }) => (params.message.role = 'user')), -32602),
  },
  {
    id: 'MSG-07',
    promise: 'Parts that are empty, null or without data are -32602.',
    run: async (probe) => {
      for (const parts of [[], [null], [{ text: 'Hello' }]]) {
        const answer = await bend(probe, ({ params }) => Object.assign(params.message, { parts }));
        const finding = refusedWith(answer, -32602);
        if (finding.outcome !== 'passed') return finding;
      }
      return PASSED;
    },
  },
  {
    id: 'MSG-08',
    promise: 'A message for a task is -32001: there are none.',
    run: async (probe) =>
      refusedWith(await bend(probe, ({ params }) => (params.message.taskId = 'task-1')), -32001),
  },
  {
    id: 'MSG-09',
    promise: 'Asking for push notifications is -32003.',
    run: async (probe) =>
      refusedWith(
        await bend(probe, ({ params }) => {
          params.configuration = { taskPushNotificationConfig: { url: 'https://buyer.example/push' } };
        }),
        -32003,
      ),
  },
  {
    id: 'MSG-05',
    promise: 'Whole numbers may be written as doubles.',
    run: async (probe) => {
      probe.needs('inventory.search');
      const call = JSON.stringify(callWith({ type: 'inventory.search.request', pagination: { limit: 1 } }));
      return served(await probe.post(call.replace('"limit":1', '"limit":1.0')));
    },
  },
  {
    id: 'MSG-11',
    promise: 'Output modes that can not be met are -32005; one that can is enough.',
    run: async (probe) => {
      const accepting = (...acceptedOutputModes: string[]) =>
        bend(probe, ({ params }) => (params.configuration = { acceptedOutputModes }));
      return allOf(
        refusedWith(await accepting('image/png'), -32005),
        served(await accepting('image/png', 'application/json')),
      );
    },
  },
  {
    id: 'MSG-10',
    promise: 'A part of another media type is -32005; plain JSON is taken.',
    run: async (probe) => {
      const typed = (mediaType: string) =>
        bend(probe, ({ params }) => Object.assign(params.message.parts[0] ?? {}, { mediaType }));
      return allOf(refusedWith(await typed('image/png'), -32005), served(await typed('application/json')));
    },
  },
  {
    id: 'ERR-02',
    promise: 'A payload that is no object is refused with an aap.error.',
    run: async (probe): Promise<Finding> =>
      aapRefusal(await probe.send([1]), -32602, 'SCHEMA_VALIDATION_FAILED', 'MISSING_REQUIRED_FIELD'),
  },
];

function bend(probe: Probe, change: (call: Call) => unknown) {
  return probe.send(probe.question, { change: (call) => void change(call) });
}

/** One unknown member makes strict clients drop the whole reply. */
function strangers(reply: unknown): string[] {
  const message = valueAt(reply, 'result', 'message');
  return [
    ...unknownKeys(reply, ['jsonrpc', 'id', 'result']),
    ...unknownKeys(valueAt(reply, 'result'), ['message']),
    ...unknownKeys(message, MESSAGE_MEMBERS),
    ...listAt(message, 'parts').flatMap((part) => unknownKeys(part, PART_MEMBERS)),
  ];
}

function unknownKeys(value: unknown, known: readonly string[]): string[] {
  return isObject(value) ? Object.keys(value).filter((key) => !known.includes(key)) : [];
}
