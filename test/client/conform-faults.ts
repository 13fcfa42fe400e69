import type { Fault } from './tampering-agent.ts';

/* eslint-disable @typescript-eslint/no-explicit-any, @typescript-eslint/no-unsafe-return, @typescript-eslint/no-unsafe-call, @typescript-eslint/restrict-plus-operands, @typescript-eslint/no-dynamic-delete -- JSON of any shape is bent here on purpose */

const EXTENSION = 'https://autoagentprotocol.org/extensions/aap/v1.3';

/** Takes whatever it is told for a fine question. */
const lenient: Fault = {
  answer: (answer, { text }) => {
    const id = /"id":("[^"]*"|[-\d.]+|null)/.exec(text)?.[1] ?? '"none"';
    answer.status = 200;
    answer.headers = { 'content-type': 'application/json', 'a2a-extensions': EXTENSION };
    answer.text = `{"jsonrpc":"2.0","id":${id},"result":{"message":{"messageId":"m","contextId":"c","role":"ROLE_AGENT","parts":[{"data":{"type":"x","data":{}}}]}}}`;
  },
};

/** Knows one error only. */
const refusing: Fault = {
  answer: (answer) => {
    answer.status = 200;
    answer.text = '{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"Internal error"}}';
  },
};

const htmlPage: Fault = {
  answer: (answer) => {
    answer.status = 500;
    answer.headers = { 'content-type': 'text/html', 'x-powered-by': 'Express' };
    answer.text = '<!DOCTYPE html><html><pre>SyntaxError\n    at parse (/node_modules/x.js:1)</pre></html>';
  },
};

const onResult = (change: (message: any, payload: any) => void): Fault => ({
  reply: ({ result }) => {
    if (result?.message !== undefined) change(result.message, result.message.parts[0].data);
  },
});

const onAapError = (change: (data: any, error: any) => void): Fault => ({
  reply: ({ error }) => {
    if (error?.data?.type === 'aap.error') change(error.data, error);
  },
});

const onData = (type: string, change: (data: any, request: any) => void): Fault => ({
  reply: ({ result }, call) => {
    const payload = result?.message?.parts[0].data;
    if (payload?.type === `${type}.response`) change(payload.data, call.params.message.parts[0].data);
  },
});

/** Loses a member of the request on its way in. */
const deaf = (...path: string[]): Fault => ({
  call: (call) => {
    let place = call?.params?.message?.parts?.[0]?.data;
    for (const name of path.slice(0, -1)) place = place?.[name];
    if (place !== undefined && place !== null) delete place[path.at(-1)!];
  },
});

/**
 * For each check, in the order of its theme, a fault that it must find: id of the promise, what is wrong with the
 * agent, the fault. Of two checks of one promise the first row is for the first.
 */
export const CONFORM_FAULTS: readonly [id: string, what: string, fault: Fault][] = [
  [
    'CARD-01',
    'the card is text/html',
    { cardAnswer: ({ headers }) => (headers['content-type'] = 'text/html') },
  ],
  ['CARD-02', 'a skill has no tag', { card: ({ skills }) => (skills[0].tags = []) }],
  [
    'CARD-04',
    'the id is no UUID',
    { card: ({ capabilities }) => (capabilities.extensions[0].params.id = 'v1') },
  ],
  [
    'CARD-04',
    'a skill has no schemas',
    { card: ({ capabilities }) => delete capabilities.extensions[0].params.skills['lead.submit'] },
  ],
  ['CARD-09', 'streaming is claimed', { card: ({ capabilities }) => (capabilities.streaming = true) }],
  ['CARD-10', 'security in the way of 0.3', { card: (card) => (card.security = [{ bearer: [] }]) }],
  [
    'CARD-06',
    'the id changes each time',
    { card: ({ capabilities }) => (capabilities.extensions[0].params.id = crypto.randomUUID()) },
  ],
  ['CARD-07', 'no ETag', { cardAnswer: ({ headers }) => delete headers.etag }],
  ['CARD-07', 'If-None-Match is not read', { cardAnswer: (answer) => (answer.status = 200) }],
  [
    'CARD-08',
    'HEAD is not served',
    { cardAnswer: (answer, method) => method === 'HEAD' && (answer.status = 404) },
  ],
  ['VER-01', 'everything is refused', refusing],
  [
    'VER-01',
    'versions are compared as texts',
    {
      answer: (answer, { headers }) => {
        if (headers['a2a-version'] !== '1.0') refusing.answer!(answer, { method: '', text: '', headers });
      },
    },
  ],
  ['VER-02', 'every version is served', lenient],
  ['VER-03', 'every version is served', lenient],
  ['VER-04', 'everything is refused', refusing],
  ['EXT-01', 'no extension is echoed', { answer: ({ headers }) => delete headers['a2a-extensions'] }],
  ['EXT-03', 'no extension is echoed', { answer: ({ headers }) => delete headers['a2a-extensions'] }],
  [
    'EXT-05',
    'the card requires what is not enforced',
    { card: ({ capabilities }) => (capabilities.extensions[0].required = true) },
  ],
  [
    'EXT-04',
    'the extension is always echoed',
    { answer: ({ headers }) => (headers['a2a-extensions'] = EXTENSION) },
  ],
  ['HTTP-04', 'everything is refused', refusing],
  ['HTTP-03', 'every Content-Type is taken', lenient],
  ['HTTP-02', 'GET gets a page', htmlPage],
  [
    'HTTP-01',
    'errors come with 400',
    { answer: (answer) => answer.text.includes('"error"') && (answer.status = 400) },
  ],
  ['HTTP-07', 'errors are pages with a stack', htmlPage],
  ['HTTP-08', 'replies are text/html', { answer: ({ headers }) => (headers['content-type'] = 'text/html') }],
  ['RPC-01', 'errors are pages', htmlPage],
  ['RPC-02', 'everything is served', lenient],
  ['RPC-03', 'everything is served', lenient],
  [
    'RPC-04',
    'an empty batch gets null',
    { answer: (answer, { text }) => text === '[]' && (answer.text = 'null') },
  ],
  ['RPC-05', 'everything is served', lenient],
  ['RPC-05', 'everything is served', lenient],
  ['RPC-06', 'everything is served', lenient],
  ['RPC-08', 'null is taken for no id', { reply: (reply) => (reply.id ??= 'none') }],
  [
    'RPC-09',
    'the id is rounded',
    {
      answer: (answer, request) => {
        lenient.answer!(answer, request);
        answer.text = answer.text.replace('9007199254740993', '9007199254740992');
      },
    },
  ],
  ['RPC-11', 'everything is served', lenient],
  ['RPC-14', 'everything is refused', refusing],
  ['RPC-07', 'notifications are executed', lenient],
  ['RPC-15', 'everything is served', lenient],
  ['RPC-12', 'names of every object are methods', refusing],
  ['MTH-01', 'everything is served', lenient],
  ['MTH-03', 'everything is served', lenient],
  ['MTH-02', 'everything is served', lenient],
  ['RPC-13', 'the stack overflows', refusing],
  ['RES-01', 'no contextId', onResult((message) => delete message.contextId)],
  ['RES-01', 'always the same messageId', onResult((message) => (message.messageId = 'm-1'))],
  [
    'RES-01',
    'the answer is a task',
    {
      reply: (reply) => {
        reply.result = { task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } } };
      },
    },
  ],
  ['RES-02', 'the contextId is replaced', onResult((message) => (message.contextId = crypto.randomUUID()))],
  ['MSG-02', 'everything is refused', refusing],
  ['MSG-03', 'everything is refused', refusing],
  ['MSG-06', 'everything is served', lenient],
  ['MSG-06', 'everything is served', lenient],
  ['MSG-07', 'null breaks the agent', refusing],
  ['MSG-08', 'everything is served', lenient],
  ['MSG-09', 'everything is served', lenient],
  ['MSG-05', 'everything is refused', refusing],
  ['MSG-11', 'everything is served', lenient],
  ['MSG-10', 'everything is served', lenient],
  ['ERR-02', 'error.data is a list', onAapError((data, error) => (error.data = [data]))],
  ['ERR-02', 'always the same error_id', onAapError((data) => (data.error_id = 'err_1'))],
  ['ERR-01', 'error.data is missing', { reply: ({ error }) => error && delete error.data }],
  ['ERR-07', 'another code', onAapError((data) => (data.code = 'SCHEMA_VALIDATION_FAILED'))],
  ['ERR-04', 'only the first fault is told', onAapError(({ details }) => details?.errors?.splice(1))],
  ['ERR-05', 'another code', onAapError((data) => (data.code = 'SCHEMA_VALIDATION_FAILED'))],
  ['ERR-06', 'another code', onAapError((data) => (data.code = 'SCHEMA_VALIDATION_FAILED'))],
  ['INF-01', 'no rooftops', onData('dealer.information', (data) => (data.rooftops = []))],
  [
    'RES-03',
    'the type of the request comes back',
    onResult((_, payload) => (payload.type = 'inventory.facets.request')),
  ],
  ['FAC-01', 'a facet of its own', onData('inventory.facets', (data) => (data.wheels = []))],
  ['FAC-03', 'counts are wrong', onData('inventory.facets', (data) => (data.statuses[0].count += 1))],
  ['FAC-02', 'filters are not looked at', deaf('filters')],
  ['VEH-01', 'another vehicle comes', onData('inventory.vehicle', (data) => (data.stock = 'OTHER'))],
  ['VEH-04', 'another price', onData('inventory.vehicle', (data) => (data.price = 1))],
  ['VEH-02', 'another code', onAapError((data) => (data.code = 'VEHICLE_UNAVAILABLE'))],
  ['VEH-03', 'everything is served', lenient],
  ['SEA-01', 'the limit is another', onData('inventory.search', (data) => (data.limit = 50))],
  ['SEA-02', 'the limit is not cut', onData('inventory.search', (data) => (data.limit = 1000))],
  ['SEA-03', 'unknown filters are passed over', deaf('filters', 'maker')],
  [
    'SEA-04',
    'a sold vehicle is listed',
    onData('inventory.search', ({ vehicles }) => vehicles[0] && (vehicles[0].status = 'sold')),
  ],
  ['SEA-05', 'the make is not looked at', deaf('filters', 'make')],
  ['SEA-06', 'the highest price is not looked at', deaf('filters', 'price_max')],
  ['SEA-07', 'the order is not looked at', deaf('sort')],
  [
    'SEA-07',
    'vehicles without a price come first',
    onData('inventory.search', ({ vehicles }) => {
      vehicles.sort((one: any, other: any) => (one.price ?? 0) - (other.price ?? 0));
      delete vehicles[0]?.price;
    }),
  ],
  ['SEA-08', 'skip is not looked at', deaf('pagination', 'skip')],
  ['SEA-09', 'everything is refused', refusing],
  ['ERR-08', 'everything is served', lenient],
  ['ERR-09', 'everything is served', lenient],
  ['LEAD-02', 'each time a new lead', onData('lead.submit', (data) => (data.lead_id = crypto.randomUUID()))],
  ['LEAD-03', 'everything is served', lenient],
];
