/** Requests that nobody should send, made out of right ones; the same seed makes the same requests. */

export interface OddRequest {
  method: string;
  query: string;
  headers: Record<string, string>;
  body: Buffer;
}

/** Whole numbers from 0 up to, not including, `below`. */
export type Random = (below: number) => number;

/** mulberry32: small, fast, and the same everywhere. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

function pick<T>(random: Random, values: readonly [T, ...T[]]): T {
  return values[random(values.length)] ?? values[0];
}

const KEYS: readonly [string, ...string[]] = [
  ...([
    'type',
    'data',
    'filters',
    'make',
    'id',
    'message',
    'messageId',
    'message_id',
    'role',
    'parts',
  ] as const),
  ...['mediaType', 'media_type', 'vin', 'stock', 'limit', 'skip', 'consent', 'scope', 'taskId', 'task_id'],
  ...[
    'contextId',
    'context_id',
    'condition',
    'sort',
    'query',
    'configuration',
    'acceptedOutputModes',
    'params',
  ],
  ...['jsonrpc', 'method', 'text', 'url', 'raw', 'idempotency_key', 'appointment', 'trade_in', 'customer'],
  ...[
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'valueOf',
    'toJSON',
    'hasOwnProperty',
    'length',
    'then',
  ],
  ...['', ' ', 'a/b~c', '\u0000', '\u202e', 'ключ', '💥', '$ref', '@type', '0', '-1'],
];

/** Put into the text where this mark stands, since no value of JavaScript prints as these. */
const MARK = '@@token@@';
const TOKENS = [
  ...(['1e400', '-1e400', '9007199254740993', '-0', '20.0', '1E5', '0.1e-400'] as const),
  ...[
    '123456789012345678901234567890',
    'NaN',
    'undefined',
    "'x'",
    '01',
    '{"a":1,"a":2}',
    '"\\ud800"',
    '"\\u0000"',
  ],
] as readonly string[] as readonly [string, ...string[]];

function junk(random: Random): unknown {
  return pick<() => unknown>(random, [
    () => null,
    () => true,
    () => pick<unknown>(random, [0, -1, 1, 1.5, 2 ** 53, 1e308, -1e308, 5e-324, 4_294_967_296]),
    () =>
      pick(random, [
        '',
        ' ',
        'x',
        'new',
        'good',
        'ROLE_USER',
        '2026-04-30T10:15:00Z',
        '\u0000',
        '\ud800',
        '﷽',
      ]),
    () =>
      pick(random, [
        "'; DROP TABLE leads; --",
        '%s%n',
        '${jndi:x}',
        '../../etc',
        '<script>',
        'a\r\nb: c',
        '*"(NEAR',
      ]),
    () => pick(random, ['x', '💥', ' ', '\\', '"']).repeat(1 + random(6000)),
    () => [],
    () => ({}),
    () => Array.from({ length: 1 + random(40) }, () => null),
    () => Array.from({ length: 1 + random(700) }, (_, index) => index),
    () => Object.fromEntries(Array.from({ length: random(700) }, (_, index) => [`key${index}`, index])),
    () => nested(random(300), random(2) === 0),
    () => ({ type: 'inventory.search.request', filters: { query: 'civic' } }),
    () => ({ [pick(random, KEYS)]: pick(random, KEYS) }),
    () => MARK,
  ])();
}

function nested(depth: number, asList: boolean): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = asList ? [value] : { a: value };
  return value;
}

/** Every object and list inside, the root first. */
function containers(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap(containers)];
}

/** An own member even where the name is `__proto__`. */
function put(container: object, key: string, value: unknown): void {
  // A list cannot take an arbitrary value as its length.
  if (Array.isArray(container) && key === 'length') container.push(value);
  else {
    Object.defineProperty(container, key, { value, enumerable: true, writable: true, configurable: true });
  }
}

function mutate(root: unknown, random: Random): unknown {
  const found = containers(root);
  const container = found[random(found.length)];
  if (container === undefined) return junk(random);
  const keys = Object.keys(container);
  const key = keys[random(keys.length)] ?? pick(random, KEYS);
  const value: unknown = Reflect.get(container, key);
  pick<() => unknown>(random, [
    () => put(container, key, junk(random)),
    () => put(container, key, junk(random)),
    () => Reflect.deleteProperty(container, key),
    () => put(container, pick(random, KEYS), junk(random)),
    () => put(container, key, [value]),
    () => put(container, key, { [pick(random, KEYS)]: value }),
    () => {
      Reflect.deleteProperty(container, key);
      put(container, pick(random, KEYS), value);
    },
    () => put(container, key, JSON.stringify(value)),
    () => put(container, pick(random, KEYS), value),
    () => Array.isArray(container) && container.push(...(container as unknown[]), null),
    () => put(container, key, typeof value === 'string' ? value.toUpperCase() : 7),
  ])();
  return root;
}

function mutateText(text: string, random: Random): Buffer {
  const bytes = Buffer.from(text.replaceAll(`"${MARK}"`, () => pick(random, TOKENS)));
  if (random(5) !== 0) return bytes;
  const at = random(bytes.length + 1);
  return pick<() => Buffer>(random, [
    () => bytes.subarray(0, at),
    () => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + random(30))]),
    () => Buffer.concat([bytes.subarray(0, at), Buffer.from([random(256), random(256)]), bytes.subarray(at)]),
    () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]),
    () => Buffer.from(text, 'utf16le'),
    () => Buffer.concat([bytes, bytes]),
    () => Buffer.from(`[${text}]`),
    () => Buffer.from(text.replace(/"(\w+)":/, (member, key) => `"${String(key)}":null,${member}`)),
    () => Buffer.from(JSON.stringify(text)),
    () => Buffer.from('['.repeat(random(100_000))),
  ])();
}

const AAP_URI = 'https://autoagentprotocol.org/extensions/aap/v1.3';

function mutateHeaders(random: Random): Pick<OddRequest, 'method' | 'query' | 'headers'> {
  const headers: Record<string, string> = { 'Content-Type': 'application/json', 'A2A-Version': '1.0' };
  if (random(4) !== 0) return { method: 'POST', query: '', headers };
  let method = 'POST';
  let query = '';
  pick<() => unknown>(random, [
    () => delete headers['A2A-Version'],
    () =>
      (headers['A2A-Version'] = pick(random, ['', '0.3', '2.0', '1.0.7', '1', '1.0, 1.0', 'x'.repeat(3000)])),
    () => (headers['A2A-Extensions'] = pick(random, [AAP_URI, `x, ${AAP_URI}`, '', ',,,', 'x'.repeat(3000)])),
    () =>
      (headers['Content-Type'] = pick(random, [
        'text/plain',
        'application/json; charset=utf-16',
        '',
        ';;',
        'x',
      ])),
    () => (headers['Content-Encoding'] = pick(random, ['gzip', 'identity', '', 'br', 'x'])),
    () =>
      (headers[pick(random, ['Accept', 'Cookie', 'Origin', 'Referer', 'User-Agent'])] = 'x'.repeat(
        random(3000),
      )),
    () => (method = pick(random, ['GET', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND'])),
    () => (query = pick(random, ['?A2A-Version=2.0', '?%ff=%', '?', `?${'a&'.repeat(500)}`, '?__proto__=1'])),
  ])();
  return { method, query, headers };
}

export function oddRequest(samples: readonly [string, ...string[]], random: Random): OddRequest {
  let request: unknown = JSON.parse(pick(random, samples));
  const steps = 1 + random(4);
  for (let step = 0; step < steps; step++) request = mutate(request, random);
  return { ...mutateHeaders(random), body: mutateText(JSON.stringify(request), random) };
}
