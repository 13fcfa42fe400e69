import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { posix } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import ssh2, { type ConnectConfig, type FileEntryWithStats, type SFTPWrapper } from 'ssh2';
import type { SftpSourceConfig } from '../../config/config.ts';
import type { SourceLimits } from '../limits.ts';
import { fetchFromFolder } from './fetch-from-folder.ts';
import type { Look } from './look.ts';
import type { RemoteFile, RemoteFolder } from './remote-folder.ts';
import { SourceFault } from './source-fault.ts';

/** SSH_FX_EOF: the server has no more to list. */
const END_OF_LIST = 1;

/** `.` and `..`, which ssh2 leaves out of what it hands on. */
const DOT_ENTRIES = 2;

/** Looks into a folder over SSH. The server must show the key that the settings name, if they name one. */
export async function lookAtSftp(source: SftpSourceConfig, look: Look): Promise<string[]> {
  const { limits, signal } = look;
  const client = new ssh2.Client();
  const end = (): void => {
    client.destroy();
  };
  signal.addEventListener('abort', end);
  try {
    signal.throwIfAborted();
    await connect(client, source, limits);
    const broken = brokenSignal(client);
    // Many small questions, each waiting for its answer.
    client.setNoDelay(true);
    const sftp = await promised<SFTPWrapper>(broken, (done) => client.sftp(done));
    return await fetchFromFolder(openFolder(sftp, source, limits, broken), source.take, look);
  } finally {
    signal.removeEventListener('abort', end);
    end();
  }
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
  broken: AbortSignal,
): RemoteFolder {
  return {
    list: async (isOfInterest) => {
      const entries = await listEntries(sftp, folder, limits.maxListedFiles, broken);
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
  broken: AbortSignal,
): Promise<FileEntryWithStats[]> {
  const handle = await promised<Buffer>(broken, (done) => sftp.opendir(folder, done));
  const entries: FileEntryWithStats[] = [];
  // Pieces may be empty, though not for ever.
  for (let pieces = 0; entries.length <= most && pieces <= most + DOT_ENTRIES; pieces += 1) {
    try {
      entries.push(...(await promised<FileEntryWithStats[]>(broken, (done) => sftp.readdir(handle, done))));
    } catch (fault) {
      if ((fault as { code?: unknown }).code !== END_OF_LIST) throw fault;
      await promised<undefined>(broken, (done) =>
        sftp.close(handle, (notClosed) => done(notClosed ?? undefined, undefined)),
      );
      return entries;
    }
  }
  throw new SourceFault(`the folder holds more than ${most} files`);
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
  broken: AbortSignal,
  call: (done: (fault: Error | null | undefined, value: T) => void) => unknown,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const breakOff = (): void => reject(broken.reason as Error);
    if (broken.aborted) {
      breakOff();
      return;
    }
    broken.addEventListener('abort', breakOff, { once: true });
    call((fault, value) => {
      broken.removeEventListener('abort', breakOff);
      if (fault === undefined || fault === null) resolve(value);
      else reject(fault);
    });
  });
}

function reasonOf(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault);
}
