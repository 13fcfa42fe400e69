/**
 * The last fence before the log: rooms say ids and codes only, and what gets here all the same is taken out. There are
 * two: fields go by their name, and of the finished line whatever looks like a mail address, a login or a known secret.
 */
const FIELDS = new Set([
  'customer',
  'consent',
  'request',
  'password',
  'passphrase',
  'private_key',
  'secret',
  'authorization',
  'cookie',
  'headers',
  'body',
  'payload',
  'email',
  'phone',
  'first_name',
  'last_name',
]);

const REMOVED = '[removed]';
/** What lies deeper nobody means to read in a log. */
const MAX_DEPTH = 4;

/**
 * The facts without the fields of the list, at any depth; the same object when none is in it, as in nearly every line.
 * Of an error only what it is, where and why: libraries hang whole requests on theirs.
 */
export function withoutPrivateFields<T extends object>(facts: T, depth = 0): T {
  let clean: Record<string, unknown> | undefined;
  for (const key in facts) {
    if (!Object.hasOwn(facts, key)) continue;
    const value: unknown = facts[key];
    const kept = FIELDS.has(key) ? REMOVED : withoutPrivateParts(value, depth);
    if (kept === value) continue;
    clean ??= { ...facts } as Record<string, unknown>;
    clean[key] = kept;
  }
  return (clean ?? facts) as T;
}

function withoutPrivateParts(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return '[too deep]';
  if (value instanceof Error) return aboutError(value, depth);
  if (Array.isArray(value)) {
    const items = value.map((item) => withoutPrivateParts(item, depth + 1));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  return withoutPrivateFields(value, depth + 1);
}

function aboutError(fault: Error, depth: number): object {
  const { name, message, stack, cause } = fault;
  const code = 'code' in fault ? { code: String(fault.code) } : {};
  const because = cause instanceof Error ? { cause: withoutPrivateParts(cause, depth + 1) } : {};
  return { type: name, message, stack, ...code, ...because };
}

const MAIL_ADDRESS = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g;
/** With a digit in it or at a padded end: no sentence about basic authentication. */
const CREDENTIALS = /\b(Bearer|Basic|Digest)(\s+|%20)(?=[\w.~+/-]*[\d=])[\w.~+/=-]{6,}/gi;
/** A login in a web address: `https://user:password@host`. */
const URL_LOGIN = /(\w:\/\/)[^\s/@"]{1,200}@/g;
/** Shorter ones stand in too many words that are none. */
const MIN_SECRET_CHARACTERS = 6;

/**
 * Gives what cleans finished lines.
 *
 * @param secrets values that must never be seen, such as passwords of the settings.
 */
export function lineFence(secrets: readonly string[] = []): (line: string) => string {
  const written = secrets
    .flatMap((secret) => secret.split(/\r?\n/))
    .filter((secret) => secret.length >= MIN_SECRET_CHARACTERS)
    // As JSON and web addresses write them, the longer ones first: one may be part of another.
    .flatMap((secret) => [JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])
    .sort((a, b) => b.length - a.length);
  const known = [...new Set(written)];
  return (line) => {
    let clean = line;
    for (const secret of known) if (clean.includes(secret)) clean = clean.replaceAll(secret, REMOVED);
    if (clean.includes('@'))
      clean = clean.replace(URL_LOGIN, `$1${REMOVED}@`).replace(MAIL_ADDRESS, '[address]');
    return /bearer|basic|digest/i.test(clean) ? clean.replace(CREDENTIALS, `$1 ${REMOVED}`) : clean;
  };
}
