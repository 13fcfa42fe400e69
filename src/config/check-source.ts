import type { Problem } from '../model/problem.ts';
import type { Sound, WrittenSource } from './bridge-file.ts';
import { isLoopback } from './loopback.ts';
import { quote } from './problems.ts';
import type { Review } from './review.ts';

type Kind = WrittenSource['kind'];

/** Keys beyond kind, every_minutes and allow_plain that a kind knows; true: it cannot do without. */
const KEYS: Readonly<Record<Kind, Readonly<Record<string, boolean>>>> = {
  http: { url: true, user: false, password: false, token: false, ca: false },
  sftp: {
    host: true,
    user: true,
    port: false,
    folder: false,
    take: false,
    password: false,
    private_key: false,
    passphrase: false,
    host_key: false,
    accept_any_host_key: false,
  },
  ftp: {
    host: true,
    user: true,
    password: true,
    port: false,
    folder: false,
    take: false,
    tls: false,
    ca: false,
  },
};

const ALL_KEYS = new Set(Object.values(KEYS).flatMap((keys) => Object.keys(keys)));

/** A source that could not be reached as written, or that could be reached by somebody else. */
export function checkSource(
  review: Review,
  source: Sound<WrittenSource> | undefined,
  pointer: string,
): Problem[] {
  const kind = source?.kind;
  if (source === undefined || kind === undefined) return [];
  const problems = checkKeys(review, kind, pointer);
  if (kind === 'http') return [...problems, ...checkHttp(review, source, pointer)];
  return [
    ...problems,
    ...(kind === 'sftp' ? checkSftp(review, pointer, source) : checkFtp(review, pointer, source)),
  ];
}

function checkKeys(review: Review, kind: Kind, pointer: string): Problem[] {
  const known = KEYS[kind];
  return [...ALL_KEYS].flatMap((key) => {
    const isWritten = review.isWritten(`${pointer}/${key}`);
    if (isWritten && known[key] === undefined) {
      return [review.tell('CONFIG_SOURCE_KEY_FOREIGN', `${pointer}/${key}`, { key, kind })];
    }
    if (isWritten || known[key] !== true) return [];
    return [review.tell('CONFIG_SOURCE_KEY_MISSING', pointer, { key, kind })];
  });
}

function checkHttp(review: Review, source: Sound<WrittenSource>, pointer: string): Problem[] {
  const problems: Problem[] = [];
  const has = (key: string): boolean => review.isWritten(`${pointer}/${key}`);
  const tellLogin = (reason: string): void => {
    problems.push(review.tell('CONFIG_SOURCE_LOGIN', pointer, { reason }));
  };
  if (has('token') && has('user')) tellLogin('names a token and a user; one of the two is enough');
  else if (has('user') !== has('password')) tellLogin('"user" and "password" go together');
  if (source.url === undefined) return problems;
  const at = `${pointer}/url`;
  if (!URL.canParse(source.url)) {
    return [...problems, review.tell('CONFIG_SOURCE_URL', at, { reason: 'is no web address' })];
  }
  const { username, password, protocol, hostname } = new URL(source.url);
  if (username !== '' || password !== '') {
    const reason = 'must not hold a user name or password';
    problems.push(review.tell('CONFIG_SOURCE_URL', at, { reason }));
  }
  if (protocol !== 'https:') problems.push(...checkPlain(review, source, hostname, at));
  return problems;
}

function checkSftp(review: Review, pointer: string, source: Sound<WrittenSource>): Problem[] {
  const has = (key: string): boolean => review.isWritten(`${pointer}/${key}`);
  const problems: Problem[] = [];
  if (!has('password') && !has('private_key')) {
    const reason = 'needs "password" or "private_key"';
    problems.push(review.tell('CONFIG_SOURCE_LOGIN', pointer, { reason }));
  }
  if (!has('host_key') && source.accept_any_host_key !== true) {
    problems.push(review.tell('CONFIG_SOURCE_HOST_KEY', pointer));
  }
  return problems;
}

function checkFtp(review: Review, pointer: string, source: Sound<WrittenSource>): Problem[] {
  if (source.tls !== 'none' || source.host === undefined) return [];
  return checkPlain(review, source, source.host, `${pointer}/tls`);
}

function checkPlain(
  review: Review,
  { allow_plain: isAllowed }: Sound<WrittenSource>,
  host: string,
  at: string,
): Problem[] {
  if (isAllowed === true || isLoopback(host)) return [];
  return [review.tell('CONFIG_SOURCE_PLAIN', at, { host: quote(host) })];
}
