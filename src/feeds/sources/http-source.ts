import { pipeline } from 'node:stream/promises';
import { Agent, request, type Dispatcher } from 'undici';
import type { HttpSourceConfig } from '../../config/config.ts';
import type { Findings, Look } from './look.ts';
import type { FetchedFile } from './source-memory.ts';
import { SourceFault } from './source-fault.ts';

const MAX_REDIRECTS = 5;
const MAX_HEADER_BYTES = 16 * 1024;
/** Longer ones are not worth keeping. */
const LONGEST_VALIDATOR = 1000;
const REFUSALS = new Set([401, 403, 407]);

/**
 * Fetches the file at a web address, unless the server says that it is the one of last time. Throws a
 * SourceFault, or what the connection threw.
 */
export async function lookAtHttp(source: HttpSourceConfig, look: Look): Promise<Findings> {
  const { landing, memory } = look;
  const name = nameIn(source.url);
  landing.checkName(name);
  if (await landing.isTaken(name)) return { landed: [], offered: 1, waits: name };
  const known = memory.recall(name);
  const agent = agentFor(source, look.limits);
  try {
    const answer = await ask(source, known, look.signal, agent);
    if (answer.statusCode === 304) return { landed: [], offered: 1, unchanged: unchanged(known) };
    const fetched = await take(answer, look);
    const isSame = fetched.digest === known?.digest;
    if (isSame) await landing.discard();
    const landed = isSame ? [] : [await landing.land(name, fetched.modified_at)];
    await memory.remember(name, fetched);
    return { landed, offered: 1, ...(isSame ? { unchanged: fetched } : {}) };
  } finally {
    // With it goes whatever is still under way.
    await agent.destroy();
  }
}

/**
 * Asks for the file and hangs up once its head is there; gives the time of the server as it says it. Not by HEAD,
 * which many a server refuses and which signed addresses do not hold for.
 */
export async function tryHttp(
  source: HttpSourceConfig,
  { limits, signal }: Pick<Look, 'limits' | 'signal'>,
): Promise<string | undefined> {
  const agent = agentFor(source, limits);
  try {
    const answer = await ask(source, undefined, signal, agent);
    answer.body.destroy();
    checkAnswer(answer);
    return textOf(answer.headers.date);
  } finally {
    await agent.destroy();
  }
}

function agentFor(source: HttpSourceConfig, { connectMs, quietMs }: Look['limits']): Agent {
  return new Agent({
    maxHeaderSize: MAX_HEADER_BYTES,
    connect: {
      timeout: connectMs,
      ...(source.ca === undefined ? {} : { ca: source.ca }),
      minVersion: 'TLSv1.2',
    },
    headersTimeout: quietMs,
    bodyTimeout: quietMs,
  });
}

/** Some servers and the boxes before them answer so unasked; taken at its word, nothing would ever come. */
function unchanged(known: FetchedFile | undefined): FetchedFile {
  if (known?.etag !== undefined || known?.last_modified !== undefined) return known;
  throw new SourceFault(
    'the server answers 304 (not changed) though it was not asked whether the file has changed',
  );
}

async function take(
  answer: Dispatcher.ResponseData,
  { landing, limits, signal }: Look,
): Promise<FetchedFile> {
  const { headers, body } = answer;
  checkAnswer(answer);
  const announced = textOf(headers['content-length']);
  if (Number(announced ?? 0) > limits.maxFileBytes) {
    throw new SourceFault(`the file is larger than ${limits.maxFileBytes} bytes`);
  }
  const { digest } = await landing.receive(async (file) => {
    await pipeline(body, file, { signal });
    if (announced !== undefined && Number(announced) !== file.bytes) {
      throw new SourceFault(`${file.bytes} bytes came of ${announced}`);
    }
  });
  const [etag, lastModified] = [headers.etag, headers['last-modified']].map(validator);
  const modifiedAt = Math.min(Date.parse(lastModified ?? ''), landing.now());
  return {
    digest,
    ...(etag === undefined ? {} : { etag }),
    ...(lastModified === undefined ? {} : { last_modified: lastModified }),
    ...(Number.isNaN(modifiedAt) ? {} : { modified_at: modifiedAt }),
  };
}

/** Follows redirects only on the same host and never back to plain http: a file from elsewhere is nobody's word. */
async function ask(
  source: HttpSourceConfig,
  known: FetchedFile | undefined,
  signal: AbortSignal,
  dispatcher: Agent,
): Promise<Dispatcher.ResponseData> {
  let url = new URL(source.url);
  const headers = requestHeaders(source, known);
  for (let redirects = 0; ; redirects += 1) {
    const answer = await request(url, { headers, signal, dispatcher });
    // A body that nobody reads any more ends with an error that nobody needs to hear.
    answer.body.on('error', () => undefined);
    if (answer.statusCode < 300 || answer.statusCode >= 400 || answer.statusCode === 304) return answer;
    answer.body.destroy();
    const next = redirectTarget(answer, url);
    if (redirects === MAX_REDIRECTS) throw new SourceFault(`more than ${MAX_REDIRECTS} redirects`);
    url = next;
  }
}

function redirectTarget({ statusCode, headers }: Dispatcher.ResponseData, from: URL): URL {
  const location = textOf(headers.location);
  if (location === undefined || !URL.canParse(location, from.href)) {
    throw new SourceFault(`the server answers ${statusCode} without saying where to go`);
  }
  const next = new URL(location, from.href);
  if (next.protocol !== 'https:' && next.protocol !== 'http:') {
    throw new SourceFault(`the server sends us to a ${next.protocol} address, which is none of the web`);
  }
  if (next.host !== from.host) {
    throw new SourceFault(
      `the server sends us to another one, ${next.host}; write that address if it is right`,
    );
  }
  const isDowngrade = next.protocol !== 'https:' && next.protocol !== from.protocol;
  if (isDowngrade) throw new SourceFault('the server sends us from https to plain http');
  return next;
}

function requestHeaders({ auth }: HttpSourceConfig, known: FetchedFile | undefined): Record<string, string> {
  return {
    accept: '*/*',
    // What is packed on the way has no length that could be checked.
    'accept-encoding': 'identity',
    'user-agent': 'dealer-bridge',
    ...(known?.etag === undefined ? {} : { 'if-none-match': known.etag }),
    ...(known?.last_modified === undefined ? {} : { 'if-modified-since': known.last_modified }),
    ...(auth === undefined ? {} : { authorization: authorization(auth) }),
  };
}

function authorization(auth: NonNullable<HttpSourceConfig['auth']>): string {
  if (auth.kind === 'bearer') return `Bearer ${auth.token}`;
  return `Basic ${Buffer.from(`${auth.user}:${auth.password}`).toString('base64')}`;
}

function checkAnswer({ statusCode, headers }: Dispatcher.ResponseData): void {
  if (statusCode !== 200) {
    throw new SourceFault(`the server answers ${statusCode}`, { isRefusal: REFUSALS.has(statusCode) });
  }
  const encoding = textOf(headers['content-encoding'])?.trim().toLowerCase() ?? 'identity';
  // A gzip file is unpacked by the inbox, whoever packed it.
  if (!['', 'identity', 'gzip', 'x-gzip'].includes(encoding)) {
    throw new SourceFault('the server packs the file in a way it was not asked for');
  }
}

/** The last piece of the address; the inbox shortens it and takes out what a file system does not like. */
function nameIn(address: string): string {
  const last = new URL(address).pathname.split('/').pop() ?? '';
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

function validator(header: string | string[] | undefined): string | undefined {
  const text = textOf(header);
  return text === undefined || text.length > LONGEST_VALIDATOR ? undefined : text;
}

function textOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
