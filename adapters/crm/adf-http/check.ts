import type { Problem } from '../../../src/adapters/index.ts';
import { checkAnswer } from './check-answer.ts';
import { checkBody } from './json-body.ts';
import { checkTls } from './check-tls.ts';
import { checkProxy, checkTokenUrl, checkUrl } from './check-url.ts';
import { fault } from './fault.ts';
import type { AuthOptions, Options } from './options.ts';

/** RFC 9110 token. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Set by the core or by HTTP itself. */
const TAKEN_HEADERS = new Set([
  'connection',
  'content-length',
  'content-type',
  'host',
  'idempotency-key',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const NEEDED: Readonly<Record<AuthOptions['kind'], readonly Exclude<keyof AuthOptions, 'kind'>[]>> = {
  none: [],
  basic: ['user', 'password'],
  bearer: ['token'],
  header: ['name', 'token'],
  query: ['name', 'token'],
  oauth2: ['token_url', 'client_id', 'client_secret'],
};

export function check(options: Options): Problem[] {
  return [
    ...checkUrl(options),
    ...checkHeaders(options),
    ...checkAuth(options),
    ...checkTls(options),
    ...checkProxy(options),
    ...checkBody(options),
    ...checkAnswer(options),
  ];
}

function checkHeaders({ headers, auth, signature, content_type }: Options): Problem[] {
  const problems = Object.entries(headers).flatMap(([name, value]) => [
    ...checkHeaderName(`headers.${name}`, name),
    ...checkHeaderValue(`headers.${name}`, value),
  ]);
  if (signature !== undefined) {
    problems.push(...checkHeaderName('signature.header', signature.header));
    problems.push(...checkHeaderValue('signature.prefix', signature.prefix));
    if (signature.timestamp !== undefined) {
      problems.push(...checkHeaderName('signature.timestamp.header', signature.timestamp.header));
    }
  }
  if (content_type !== undefined) problems.push(...checkHeaderValue('content_type', content_type));
  return [...problems, ...checkTwins(Object.keys(headers), auth, signature)];
}

/** A header that is sent twice is read by nobody knows whom in which way. */
function checkTwins(names: readonly string[], auth: AuthOptions, signature: Options['signature']): Problem[] {
  const own = names.map((name) => ({ path: `headers.${name}`, name }));
  if (['basic', 'bearer', 'oauth2'].includes(auth.kind))
    own.push({ path: 'auth.kind', name: 'Authorization' });
  if (auth.kind === 'header' && auth.name !== undefined) own.push({ path: 'auth.name', name: auth.name });
  if (signature !== undefined) own.push({ path: 'signature.header', name: signature.header });
  if (signature?.timestamp !== undefined) {
    own.push({ path: 'signature.timestamp.header', name: signature.timestamp.header });
  }
  const seen = new Set<string>();
  return own.flatMap(({ path, name }) => {
    const isTwin = seen.has(name.toLowerCase());
    seen.add(name.toLowerCase());
    return isTwin ? [fault(path, `the header ${name} would be sent twice`, 'Name it once.')] : [];
  });
}

function checkHeaderName(path: string, name: string): Problem[] {
  if (!HEADER_NAME.test(name)) return [fault(path, `${JSON.stringify(name)} can not be a header's name`)];
  if (!TAKEN_HEADERS.has(name.toLowerCase())) return [];
  const remedy = name.toLowerCase() === 'content-type' ? 'Use content_type.' : 'Take it away.';
  return [fault(path, `the bridge itself sets the header ${name}`, remedy)];
}

/** The value may be a secret and is not told. */
function checkHeaderValue(path: string, value: string): Problem[] {
  return HEADER_VALUE.test(value) ? [] : [fault(path, 'holds a character that no header can carry')];
}

function checkAuth({ auth }: Options): Problem[] {
  const problems = NEEDED[auth.kind]
    .filter((member) => auth[member] === undefined)
    .map((member) => fault(`auth.${member}`, `auth of kind ${auth.kind} needs it, and it is missing`));
  if (auth.kind === 'header' && auth.name !== undefined) {
    problems.push(...checkHeaderName('auth.name', auth.name));
  }
  if ((auth.kind === 'header' || auth.kind === 'bearer') && auth.token !== undefined) {
    problems.push(...checkHeaderValue('auth.token', auth.token));
  }
  if (auth.kind === 'oauth2' && auth.token_url !== undefined) problems.push(...checkTokenUrl(auth.token_url));
  if (auth.kind === 'basic' && auth.user?.includes(':') === true) {
    problems.push(fault('auth.user', 'a user with a colon can not be sent this way'));
  }
  return problems;
}
