import { stat } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FtpSourceConfig, SftpSourceConfig } from '../../src/config/config.ts';
import { sshKeys } from '../ssh-keys.ts';
import { startFtp, type FtpOptions } from './ftp-server.ts';
import { LOOPBACK_CERTIFICATE } from './loopback-certificate.ts';
import { PASSWORD, remoteLot, USER, type RemoteContent, type RemoteLot } from './remote-lot.ts';
import { startSftp } from './sftp-server.ts';
import { SourceBench } from './source-bench.ts';

type FolderSource = FtpSourceConfig | SftpSourceConfig;

let bench: SourceBench;
let lot: RemoteLot;
beforeEach(async () => {
  bench = await SourceBench.open();
  lot = remoteLot();
});
afterEach(() => bench.dealership.close());

const COMMON = {
  host: '127.0.0.1',
  folder: '/outgoing',
  user: USER,
  password: PASSWORD,
  take: 'newest',
  every_ms: 60_000,
} as const;

async function sftpSource(): Promise<SftpSourceConfig> {
  const { port, fingerprint } = await startSftp(lot);
  return { kind: 'sftp', ...COMMON, port, host_key: fingerprint };
}

async function ftpSource(options: FtpOptions): Promise<FtpSourceConfig> {
  const { port } = await startFtp(lot, options);
  return { kind: 'ftp', ...COMMON, port, tls: options.tls, ca: LOOPBACK_CERTIFICATE };
}

/** 2026-04-30 10:15:00 UTC and so many minutes. */
function minute(minutes: number): number {
  return Date.UTC(2026, 3, 30, 10, 15 + minutes) / 1000;
}

function put(name: string, text: string, changedAt: number, over: Partial<RemoteContent> = {}): void {
  lot.files.set(name, { text, changedAt, ...over });
}

const WAYS: [string, () => Promise<FolderSource>][] = [
  ['sftp', sftpSource],
  ['ftp with TLS', () => ftpSource({ tls: 'explicit' })],
  ['ftp with TLS from the first byte', () => ftpSource({ tls: 'implicit' })],
  ['plain ftp of an old server', () => ftpSource({ tls: 'none', isOld: true })],
];

describe.each(WAYS)('%s', (_way, open) => {
  it('fetches the newest file, with its time, and not again while it stays the same', async () => {
    const source = await open();
    put('zz-old.csv', 'old', minute(0));
    put('new.csv', 'new', minute(5));
    expect(await bench.look(source)).toEqual(['new.csv']);
    expect(await bench.inbox()).toEqual({ 'new.csv': 'new' });
    expect((await stat(bench.inboxPath('new.csv'))).mtimeMs).toBe(minute(5) * 1000);
    await bench.takeAway('new.csv');
    expect(await bench.look(source)).toEqual([]);
    put('new.csv', 'newer', minute(9));
    expect(await bench.look(source)).toEqual(['new.csv']);
    expect(lot.reads).toEqual(['new.csv', 'new.csv']);
    expect(await bench.unfinished()).toEqual([]);
  });

  it('never goes back to an older file when the newest is withdrawn', async () => {
    const source = await open();
    put('monday.csv', 'monday', minute(0));
    put('tuesday.csv', 'tuesday', minute(5));
    await bench.look(source);
    lot.files.delete('tuesday.csv');
    expect(await bench.look(source)).toEqual([]);
    put('wednesday.csv', 'wednesday', minute(9));
    expect(await bench.look(source)).toEqual(['wednesday.csv']);
  });

  it('fetches every new file oldest first, if so configured, and goes on from there', async () => {
    const source: FolderSource = { ...(await open()), take: 'all' };
    put('b.csv', 'first', minute(0));
    put('a.csv', 'second', minute(1));
    expect(await bench.look(source)).toEqual(['b.csv', 'a.csv']);
    put('c.csv', 'third', minute(2));
    expect(await bench.look(source)).toEqual(['c.csv']);
  });

  it('passes over folders, unfinished uploads and names that do not match', async () => {
    const source = await open();
    put('lot.csv', 'lot', minute(0));
    put('lot.xml', 'other', minute(1));
    put('lot2.csv.part', 'half', minute(2));
    put('.lot3.csv', 'hidden', minute(3));
    put('folder.csv', '', minute(4), { isFolder: true });
    expect(await bench.look(source, { feed: { files: '*.csv*' } })).toEqual(['lot.csv']);
    expect(lot.reads).toEqual(['lot.csv']);
  });

  it('waits for the marker of a file, if the feed has one', async () => {
    const source = await open();
    put('lot.csv', 'lot', minute(0));
    const feed = { files: '*.csv', done_marker: '.done' };
    expect(await bench.look(source, { feed })).toEqual([]);
    put('lot.csv.done', '', minute(1));
    expect(await bench.look(source, { feed })).toEqual(['lot.csv']);
    expect(await bench.inbox()).toEqual({ 'lot.csv': 'lot', 'lot.csv.done': '' });
  });

  it('does not land a file that is written to meanwhile, and fetches it once it rests', async () => {
    const source = await open();
    put('lot.csv', 'half', minute(0));
    lot.onRead = () => setImmediate(() => put('lot.csv', 'half and more', minute(1)));
    const fault = await bench.fault(source, { feed: { settle_ms: 50 } });
    expect(fault.message).toMatch(
      /^(lot\.csv is still being written there|\d+ bytes of lot\.csv came of \d+)$/,
    );
    expect(await bench.inbox()).toEqual({});
    expect(await bench.unfinished()).toEqual([]);
    delete lot.onRead;
    expect(await bench.look(source)).toEqual(['lot.csv']);
    expect(await bench.inbox()).toEqual({ 'lot.csv': 'half and more' });
  });

  it('does not land a file of which less came than listed', async () => {
    const source = await open();
    put('lot.csv', 'half', minute(0), { listedSize: 8 });
    expect((await bench.fault(source)).message).toBe('4 bytes of lot.csv came of 8');
    expect(await bench.inbox()).toEqual({});
  });

  it('does not land what a broken connection left', async () => {
    const source = await open();
    put('lot.csv', 'x'.repeat(100_000), minute(0), { breaksOff: true });
    expect((await bench.fault(source)).message).not.toBe('');
    expect(await bench.inbox()).toEqual({});
    expect(await bench.unfinished()).toEqual([]);
  });

  it('does not even begin a file that is too large', async () => {
    const source = await open();
    put('lot.csv', 'x', minute(0), { listedSize: 5_000_000_000 });
    expect((await bench.fault(source)).message).toBe('lot.csv is larger than 1073741824 bytes');
    expect(lot.reads).toEqual([]);
  });

  it('stops where more comes than the server listed and the limits allow', async () => {
    const source = await open();
    put('lot.csv', 'x'.repeat(2000), minute(0), { listedSize: 10 });
    const fault = await bench.fault(source, { limits: { maxFileBytes: 1000 } });
    expect(fault.message).toMatch(/^(the file is larger than 1000 bytes|10\d* bytes of lot.csv came of 10)$/);
    expect(await bench.inbox()).toEqual({});
  });

  it('lets one bad file not keep the others of a full feed', async () => {
    const source: FolderSource = { ...(await open()), take: 'all' };
    put('bad.csv', 'x', minute(0), { listedSize: 5_000_000_000 });
    put('good.csv', 'good', minute(1));
    await bench.fault(source);
    expect(await bench.inbox()).toEqual({ 'good.csv': 'good' });
  });

  it('lets no change overtake another of a delta feed', async () => {
    const source: FolderSource = { ...(await open()), take: 'all' };
    put('bad.csv', 'x', minute(0), { listedSize: 5_000_000_000 });
    put('later.csv', 'later', minute(1));
    await bench.fault(source, { feed: { mode: 'delta' } });
    expect(await bench.inbox()).toEqual({});
  });

  it.each(['../../evil.csv', '..\\evil.csv', 'ev\til.csv'])(
    'does not touch a file called %j',
    async (name) => {
      const source: FolderSource = { ...(await open()), take: 'all' };
      put(name, 'evil', minute(1));
      put('lot.csv', 'lot', minute(0));
      expect(await bench.look(source)).toEqual(['lot.csv']);
      expect(lot.reads).toEqual(['lot.csv']);
    },
  );

  it('gives a file whose name no Windows would take another one', async () => {
    const source = await open();
    put('lot: "5".csv', 'lot', minute(0));
    expect(await bench.look(source)).toEqual(['lot_ _5_.csv']);
  });

  it('refuses a folder with more files than the limits allow', async () => {
    const source = await open();
    for (let count = 0; count < 30; count += 1) put(`${count}.csv`, 'x', minute(count));
    const fault = await bench.fault(source, { limits: { maxListedFiles: 20 } });
    expect(fault.message).toBe('the folder holds more than 20 files');
  });

  it('knows that it is not let in', async () => {
    const source: FolderSource = { ...(await open()), password: 'wrong' };
    expect(await bench.fault(source)).toMatchObject({ isRefusal: true });
  });
});

describe('the key of an sftp server', () => {
  it('must be the one in the settings; the fault tells the one that was shown', async () => {
    const { port, fingerprint } = await startSftp(lot);
    put('lot.csv', 'lot', minute(0));
    const source: SftpSourceConfig = { kind: 'sftp', ...COMMON, port, host_key: `SHA256:${'A'.repeat(43)}` };
    expect(await bench.fault(source)).toMatchObject({
      message: `the server shows the key ${fingerprint}, not the one in the settings`,
      isRefusal: true,
    });
    expect(lot.reads).toEqual([]);
  });

  it('may be any where the settings name none', async () => {
    const { port } = await startSftp(lot);
    put('lot.csv', 'lot', minute(0));
    expect(await bench.look({ kind: 'sftp', ...COMMON, port })).toEqual(['lot.csv']);
  });
});

it('an sftp server is entered with a private key', async () => {
  const keys = sshKeys({ passphrase: 'open', cipher: 'aes256-ctr' });
  const { port, fingerprint } = await startSftp(lot, { clientKey: keys.public });
  put('lot.csv', 'lot', minute(0));
  const { password: _password, ...common } = COMMON;
  const source: SftpSourceConfig = {
    kind: 'sftp',
    ...common,
    port,
    host_key: fingerprint,
    private_key: keys.private,
    passphrase: 'open',
  };
  expect(await bench.look(source)).toEqual(['lot.csv']);
});

it('a private key that cannot be read is told', async () => {
  const { port, fingerprint } = await startSftp(lot);
  const source: SftpSourceConfig = {
    kind: 'sftp',
    ...COMMON,
    port,
    host_key: fingerprint,
    private_key: 'no key',
  };
  expect((await bench.fault(source)).message).toMatch(/privateKey/);
});

it('an ftp server with an unknown certificate gets no password', async () => {
  const { ca: _ca, ...source } = await ftpSource({ tls: 'explicit' });
  expect((await bench.fault(source)).message).toMatch(/self-signed certificate/);
});

it('an ftp server without the folder is told', async () => {
  const source = { ...(await ftpSource({ tls: 'none' })), folder: '/elsewhere' };
  expect((await bench.fault(source)).message).toMatch(/no such folder/);
});
