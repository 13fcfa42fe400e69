import type { Problem } from '../../../src/adapters/index.ts';
import type { AnswerPlace, AuthOptions, Options } from './options.ts';

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

/** A repeated group with a repetition inside may take longer than anyone waits. */
const NESTED_REPETITION = /\([^)]*[+*}][^)]*\)[+*{]/;
const BACK_REFERENCE = /\\[1-9]|\\k</;

const NEEDED: Readonly<Record<AuthOptions['kind'], readonly ('user' | 'password' | 'token' | 'name')[]>> = {
  none: [],
  basic: ['user', 'password'],
  bearer: ['token'],
  header: ['name', 'token'],
  query: ['name', 'token'],
};

export function check(options: Options): Problem[] {
  return [...checkUrl(options), ...checkHeaders(options), ...checkAuth(options), ...checkAnswer(options)];
}

function checkUrl({ url, allow_plain_http }: Options): Problem[] {
  if (!URL.canParse(url)) return [fault('url', 'is no web address', 'It begins with https://')];
  const { protocol, hostname, username, password, hash } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') {
    return [fault('url', `${protocol} is not a way to a CRM`, 'It begins with https://')];
  }
  const problems: Problem[] = [];
  if (protocol === 'http:' && !allow_plain_http && !isLoopback(hostname)) {
    problems.push(
      fault(
        'url',
        'leads would cross the network unencrypted',
        'Use https, or set allow_plain_http for a gateway in the house.',
      ),
    );
  }
  if (username !== '' || password !== '') {
    problems.push(fault('url', 'holds a login', 'Put it into auth, so that it is never shown.'));
  }
  if (hash !== '') problems.push(fault('url', 'the part after # is never sent', 'Take it away.'));
  return problems;
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

function checkHeaders({ headers, auth, signature, content_type }: Options): Problem[] {
  const problems = Object.entries(headers).flatMap(([name, value]) => [
    ...checkHeaderName(`headers.${name}`, name),
    ...checkHeaderValue(`headers.${name}`, value),
  ]);
  if (signature !== undefined) {
    problems.push(...checkHeaderName('signature.header', signature.header));
    problems.push(...checkHeaderValue('signature.prefix', signature.prefix));
  }
  if (content_type !== undefined) problems.push(...checkHeaderValue('content_type', content_type));
  return [...problems, ...checkTwins(Object.keys(headers), auth, signature?.header)];
}

/** A header that is sent twice is read by nobody knows whom in which way. */
function checkTwins(
  names: readonly string[],
  auth: AuthOptions,
  signatureName: string | undefined,
): Problem[] {
  const own = names.map((name) => ({ path: `headers.${name}`, name }));
  if (auth.kind === 'basic' || auth.kind === 'bearer') own.push({ path: 'auth.kind', name: 'Authorization' });
  if (auth.kind === 'header' && auth.name !== undefined) own.push({ path: 'auth.name', name: auth.name });
  if (signatureName !== undefined) own.push({ path: 'signature.header', name: signatureName });
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
  if (auth.kind === 'basic' && auth.user?.includes(':') === true) {
    problems.push(fault('auth.user', 'a user with a colon can not be sent this way'));
  }
  return problems;
}

function checkAnswer({ answer }: Options): Problem[] {
  const problems = answer.rules.flatMap((rule, index) => checkPlace(`answer.rules[${index}]`, rule));
  if (answer.reference !== undefined) problems.push(...checkPlace('answer.reference', answer.reference));
  return problems;
}

function checkPlace(path: string, { json, xml, pattern }: AnswerPlace): Problem[] {
  if ([json, xml, pattern].filter((place) => place !== undefined).length !== 1) {
    return [fault(path, 'must say one of json, xml and pattern')];
  }
  if (json !== undefined && json !== '' && !json.startsWith('/')) {
    return [fault(`${path}.json`, `${JSON.stringify(json)} is no JSON Pointer`, 'It begins with a slash.')];
  }
  return pattern === undefined ? [] : checkPattern(`${path}.pattern`, pattern);
}

function checkPattern(path: string, pattern: string): Problem[] {
  try {
    new RegExp(pattern, 'u');
  } catch (error) {
    return [fault(path, error instanceof Error ? error.message : 'is no regular expression')];
  }
  if (NESTED_REPETITION.test(pattern) || BACK_REFERENCE.test(pattern)) {
    return [
      fault(path, 'may take forever on a long answer', 'Repeat no group that repeats something itself.'),
    ];
  }
  return [];
}

function fault(path: string, message: string, remedy?: string): Problem {
  return {
    code: 'ADAPTER_OPTION_INVALID',
    message,
    ...(remedy === undefined ? {} : { remedy }),
    where: { path },
  };
}
