import type { Fault } from './faults.ts';
import { findExcess } from './payload-bounds.ts';
import { isObject, ProtoReader } from './proto-json.ts';

/** What a SendMessage request says around its payload (A2A SendMessageRequest). */
interface Envelope {
  contextId?: string;
  taskId?: string;
  asksForPush: boolean;
  /** Empty = anything. */
  acceptedOutputModes: string[];
  /** The first part that has `data`; text parts are never looked into (aap-v1.3 section 2). */
  payload: DataPart;
}

interface DataPart {
  data: unknown;
  mediaType?: string;
}

export type EnvelopeReading = { envelope: Envelope } | { faults: [Fault, ...Fault[]] };

const PART_KINDS = ['text', 'raw', 'url', 'data'] as const;
const ROLE_USER: readonly unknown[] = ['ROLE_USER', 1];

/** Payloads are looked through with their skill, so that pointers of their faults begin at the payload. */
const isPayload = (pointer: string): boolean => pointer.endsWith('/data') && PAYLOAD_POINTER.test(pointer);
const PAYLOAD_POINTER = /^\/params\/message\/parts\/\d+\/data$/;

/** Reads `params`; pointers of faults begin at the JSON-RPC request: `/params/message/role`. */
export function readEnvelope(params: unknown): EnvelopeReading {
  const excess = findExcess(params, '/params', isPayload);
  if (excess !== undefined) return { faults: [excess] };
  const faults: Fault[] = [];
  const request = new ProtoReader({ params }, '', faults).requiredObject('params');
  const message = request?.requiredObject('message');
  const payload = message === undefined ? undefined : readMessage(message, faults);
  const configuration = request?.object('configuration');
  configuration?.refuseDoubled('acceptedOutputModes', 'taskPushNotificationConfig');
  const acceptedOutputModes = configuration === undefined ? [] : readOutputModes(configuration);
  const contextId = message?.text('contextId');
  const taskId = message?.text('taskId');

  const [first, ...more] = faults;
  if (first !== undefined) return { faults: [first, ...more] };
  if (payload === undefined) throw new Error('a message without faults has a payload');
  return {
    envelope: {
      payload,
      acceptedOutputModes,
      asksForPush: configuration?.isSet('taskPushNotificationConfig') ?? false,
      ...(contextId === undefined ? {} : { contextId }),
      ...(taskId === undefined ? {} : { taskId }),
    },
  };
}

function readMessage(message: ProtoReader, faults: Fault[]): DataPart | undefined {
  message.refuseDoubled('messageId', 'contextId', 'taskId');
  message.requiredText('messageId');
  if (!message.isSet('role')) message.missing('role');
  else if (!ROLE_USER.includes(message.value('role'))) message.fault('role', 'const', 'must be "ROLE_USER"');

  const parts = message.requiredList('parts');
  if (parts === undefined) return undefined;
  if (parts.length === 0) {
    message.fault('parts', 'minItems', 'must not be empty');
    return undefined;
  }
  const faultsBefore = faults.length;
  const payload = parts
    .map((part, index) => readPart(part, `/params/message/parts/${index}`, faults))
    .find((part) => part !== undefined);
  if (payload === undefined && faults.length === faultsBefore) {
    message.fault('parts', 'contains', 'must have a part with "data": this agent reads no text');
  }
  return payload;
}

/** Undefined for a part without data, and for one with faults. */
function readPart(part: unknown, pointer: string, faults: Fault[]): DataPart | undefined {
  if (!isObject(part)) {
    faults.push({ instanceLocation: pointer, keyword: 'type', error: 'must be an object' });
    return undefined;
  }
  const reader = new ProtoReader(part, pointer, faults);
  // A null is no text, but it is data: any JSON value is.
  const kinds = PART_KINDS.filter((kind) => (kind === 'data' ? reader.has(kind) : reader.isSet(kind)));
  if (kinds.length !== 1) {
    const error = `must have exactly one of ${PART_KINDS.map((kind) => `"${kind}"`).join(', ')}`;
    faults.push({ instanceLocation: pointer, keyword: 'oneOf', error });
    return undefined;
  }
  reader.refuseDoubled('mediaType');
  const mediaType = reader.text('mediaType');
  if (kinds[0] !== 'data') {
    reader.text(kinds[0] ?? '');
    return undefined;
  }
  return { data: reader.value('data'), ...(mediaType === undefined ? {} : { mediaType }) };
}

function readOutputModes(configuration: ProtoReader): string[] {
  const modes = configuration.list('acceptedOutputModes') ?? [];
  const texts = modes.filter((mode) => typeof mode === 'string');
  if (texts.length < modes.length) {
    configuration.fault('acceptedOutputModes', 'type', 'must hold media types as strings');
  }
  return texts;
}
