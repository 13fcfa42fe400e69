import { Client, FTPError, type FileInfo } from 'basic-ftp';
import type { Writable } from 'node:stream';
import type { FtpSourceConfig } from '../../config/config.ts';
import type { SourceLimits } from '../limits.ts';
import { fetchFromFolder } from './fetch-from-folder.ts';
import type { Findings, Look } from './look.ts';
import type { RemoteFile, RemoteFolder } from './remote-folder.ts';
import { SourceFault } from './source-fault.ts';

/** Code of an FTP server that does not let us in (RFC 959). */
const NOT_LOGGED_IN = 530;

/** Old servers list times no program can trust; so many files are asked for theirs, one by one. */
const MOST_TIMES_ASKED = 200;

/** Looks into a folder over FTP, with TLS unless the settings say otherwise. */
export async function lookAtFtp(source: FtpSourceConfig, look: Look): Promise<Findings> {
  return inFtpFolder(source, look, (folder) => fetchFromFolder(folder, source.take, look));
}

/** Works in the folder of the server. */
export async function inFtpFolder<T>(
  source: FtpSourceConfig,
  { limits, signal }: Pick<Look, 'limits' | 'signal'>,
  work: (folder: RemoteFolder) => Promise<T>,
): Promise<T> {
  // The library's own bounds hold too: a megabyte of list, data connections to the same host only.
  const client = new Client(limits.quietMs, { allowSeparateTransferHost: false });
  const end = (): void => client.close();
  signal.addEventListener('abort', end);
  try {
    signal.throwIfAborted();
    await signIn(client, source, limits);
    return await work(openFolder(client, limits));
  } finally {
    signal.removeEventListener('abort', end);
    end();
  }
}

async function signIn(client: Client, source: FtpSourceConfig, { connectMs }: SourceLimits): Promise<void> {
  const { host, port, user, password, tls, ca, folder } = source;
  const tooLong = setTimeout(() => client.close(), connectMs);
  try {
    await client.access({
      host,
      port,
      user,
      password,
      secure: tls === 'implicit' ? tls : tls === 'explicit',
      secureOptions: { host, minVersion: 'TLSv1.2', ...(ca === undefined ? {} : { ca }) },
    });
    if (folder !== undefined) await client.cd(folder);
  } catch (fault) {
    const reason = fault instanceof Error ? fault.message : String(fault);
    const isRefusal = fault instanceof FTPError && fault.code === NOT_LOGGED_IN;
    throw new SourceFault(reason, { isRefusal, cause: fault });
  } finally {
    clearTimeout(tooLong);
  }
}

function openFolder(client: Client, { maxListedFiles }: SourceLimits): RemoteFolder {
  return {
    list: async (isOfInterest) => {
      const entries = await client.list();
      if (entries.length > maxListedFiles) {
        throw new SourceFault(`the folder holds more than ${maxListedFiles} files`);
      }
      const files = entries.filter((entry) => entry.isFile && isOfInterest(entry.name));
      const times = await timesOf(client, files);
      return files.map((entry) => asRemoteFile(entry, times.get(entry.name)));
    },
    download: async (name: string, into: Writable) => {
      await client.downloadTo(into, name);
    },
  };
}

/** Milliseconds since 1970 by name, as far as the server tells them. */
async function timesOf(client: Client, files: readonly FileInfo[]): Promise<Map<string, number>> {
  const times = new Map<string, number>();
  let canAsk = files.length <= MOST_TIMES_ASKED;
  for (const { name, modifiedAt } of files) {
    if (modifiedAt !== undefined) times.set(name, modifiedAt.getTime());
    else if (canAsk) {
      try {
        times.set(name, (await client.lastMod(name)).getTime());
      } catch (fault) {
        if (!(fault instanceof FTPError)) throw fault;
        canAsk = false;
      }
    }
  }
  return times;
}

function asRemoteFile({ name, size, rawModifiedAt }: FileInfo, modifiedAt: number | undefined): RemoteFile {
  return {
    name,
    size,
    version: `${size} ${modifiedAt ?? rawModifiedAt}`,
    ...(modifiedAt === undefined ? {} : { modifiedAt }),
  };
}
