import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { posix } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import ssh2, { type ConnectConfig, type FileEntryWithStats, type SFTPWrapper } from 'ssh2';
import type { SftpSourceConfig } from '../../config/config.ts';
import type { SourceLimits } from '../limits.ts';
import { fetchFromFolder } from './fetch-from-folder.ts';
import type { Findings, Look } from './look.ts';
import type { RemoteFile, RemoteFolder } from './remote-folder.ts';
import { SourceFault } from './source-fault.ts';

/** SSH_FX_EOF: the server has no more to list. */
const END_OF_LIST = 1;

/** `.` and `..`, which ssh2 leaves out of what it hands on. */
const DOT_ENTRIES = 2;

/** Looks into a folder over SSH. */
export async function lookAtSftp(source: SftpSourceConfig, look: Look): Promise<Findings> {
  return inSftpFolder(source, look, (folder) => fetchFromFolder(folder, source.take, look));
}

/** Works in the folder of the server, which must show the key that the settings name, if they name one. */
export async function inSftpFolder<T>(
  source: SftpSourceConfig,
  { limits, signal }: Pick<Look, 'limits' | 'signal'>,
  work: (folder: RemoteFolder) => Promise<T>,
): Promise<T> {
  const client = new ssh2.Client();
  const end = (): void => {
    client.destroy();
  };
  // A connection may break in more than one way; only the first fault has a listener that wants it.
  client.on('error', () => undefined);
  signal.addEventListener('abort', end);
  try {
    signal.throwIfAborted();
    await connect(client, source, limits);
    const line: Line = { broken: brokenSignal(client), quietMs: limits.quietMs };
    // Many small questions, each waiting for its answer.
    client.setNoDelay(true);
    const sftp = await promised<SFTPWrapper>(line, (done) => client.sftp(done));
    return await work(openFolder(sftp, source, limits, line));
  } finally {
    signal.removeEventListener('abort', end);
    end();
  }
}

/** What a call over the connection has to reckon with. */
interface Line {
  /** Aborted when the connection ends. */
  broken: AbortSignal;
  /** A server that says nothing for so long is given up. */
  quietMs: number;
}

async function connect(client: ssh2.Client, source: SftpSourceConfig, limits: SourceLimits): Promise<void> {
  let shown = '';
  const verify = (key: Buffer): boolean => {
    shown = `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
    return source.host_key === undefined || source.host_key === shown;
  };
  const { host, port, user, password, private_key: privateKey, passphrase } = source;
  const settings: ConnectConfig = {
    host,
    port,
    username: user,
    readyTimeout: limits.connectMs,
    hostVerifier: verify,
    ...(password === undefined ? {} : { password }),
    ...(privateKey === undefined ? {} : { privateKey }),
    ...(passphrase === undefined ? {} : { passphrase }),
  };
  const ready = once(client, 'ready');
  try {
    client.connect(settings);
    await ready;
  } catch (fault) {
    ready.catch(() => undefined);
    if (shown !== '' && source.host_key !== undefined && shown !== source.host_key) {
      throw new SourceFault(`the server shows the key ${shown}, not the one in the settings`, {
        isRefusal: true,
        cause: fault,
      });
    }
    const isRefusal = (fault as { level?: unknown }).level === 'client-authentication';
    throw new SourceFault(reasonOf(fault), { isRefusal, cause: fault });
  }
}

function openFolder(
  sftp: SFTPWrapper,
  { folder = '.' }: SftpSourceConfig,
  limits: SourceLimits,
  line: Line,
): RemoteFolder {
  const { broken } = line;
  return {
    list: async (isOfInterest) => {
      const entries = await listEntries(sftp, folder, limits.maxListedFiles, line);
      return entries
        .filter(({ filename, attrs }) => attrs.isFile() && isOfInterest(filename))
        .map(asRemoteFile);
    },
    download: async (name: string, into: Writable) => {
      const from = sftp.createReadStream(posix.join(folder, name));
      try {
        await pipeline(from, into, { signal: broken });
      } catch (fault) {
        throw broken.aborted ? broken.reason : fault;
      }
    },
  };
}

/** In pieces, as the server hands them out: the whole at once could be without end. */
async function listEntries(
  sftp: SFTPWrapper,
  folder: string,
  most: number,
  line: Line,
): Promise<FileEntryWithStats[]> {
  const handle = await openFolderHandle(sftp, folder, line);
  const entries: FileEntryWithStats[] = [];
  // Pieces may be empty, though not for ever.
  for (let pieces = 0; entries.length <= most && pieces <= most + DOT_ENTRIES; pieces += 1) {
    try {
      entries.push(...(await promised<FileEntryWithStats[]>(line, (done) => sftp.readdir(handle, done))));
    } catch (fault) {
      if ((fault as { code?: unknown }).code !== END_OF_LIST) throw fault;
      await promised<undefined>(line, (done) =>
        sftp.close(handle, (notClosed) => done(notClosed ?? undefined, undefined)),
      );
      return entries;
    }
  }
  throw new SourceFault(`the folder holds more than ${most} files`);
}

/** The server's own words name no folder, and a wrong one is the commonest fault of all. */
async function openFolderHandle(sftp: SFTPWrapper, folder: string, line: Line): Promise<Buffer> {
  try {
    return await promised<Buffer>(line, (done) => sftp.opendir(folder, done));
  } catch (fault) {
    if (fault instanceof SourceFault) throw fault;
    throw new SourceFault(`the folder ${folder} cannot be listed: ${reasonOf(fault)}`, { cause: fault });
  }
}

function asRemoteFile({ filename, attrs }: FileEntryWithStats): RemoteFile {
  return {
    name: filename,
    size: attrs.size,
    modifiedAt: attrs.mtime * 1000,
    version: `${attrs.size} ${attrs.mtime}`,
  };
}

/** Aborted when the connection ends for any reason; calls under way would wait for their answer for ever. */
function brokenSignal(client: ssh2.Client): AbortSignal {
  const broken = new AbortController();
  client.on('error', (fault) => broken.abort(new SourceFault(fault.message, { cause: fault })));
  client.on('close', () => broken.abort(new SourceFault('the connection broke off')));
  return broken.signal;
}

function promised<T>(
  { broken, quietMs }: Line,
  call: (done: (fault: Error | null | undefined, value: T) => void) => unknown,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const breakOff = (): void => end(() => reject(broken.reason as Error));
    const quiet = setTimeout(() => {
      end(() =>
        reject(new SourceFault(`the server did not answer for ${Math.round(quietMs / 1000)} seconds`)),
      );
    }, quietMs);
    const end = (settle: () => void): void => {
      clearTimeout(quiet);
      broken.removeEventListener('abort', breakOff);
      settle();
    };
    if (broken.aborted) {
      breakOff();
      return;
    }
    broken.addEventListener('abort', breakOff, { once: true });
    call((fault, value) =>
      end(() => {
        if (fault === undefined || fault === null) resolve(value);
        else reject(fault);
      }),
    );
  });
}

function reasonOf(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault);
}
