import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import ssh2, { type Connection, type FileEntry, type SFTPWrapper } from 'ssh2';
import { onTestFinished } from 'vitest';
import { sshKeys } from '../ssh-keys.ts';
import { PASSWORD, sizeOf, USER, type RemoteContent, type RemoteLot } from './remote-lot.ts';

const { OPEN_MODE, STATUS_CODE } = ssh2.utils.sftp;
const REGULAR = 0o100644;
const FOLDER = 0o040755;

/** A real SSH server on loopback whose SFTP side shows the lot; users come in by password or by `clientKey`. */
export async function startSftp(lot: RemoteLot, options: { clientKey?: string } = {}) {
  const hostKeys = sshKeys();
  const connections = new Set<Connection>();
  const server = new ssh2.Server({ hostKeys: [hostKeys.private] }, (connection) => {
    connections.add(connection);
    connection.on('error', () => undefined);
    connection.on('close', () => connections.delete(connection));
    connection.on('authentication', (attempt) => {
      const isPassword = attempt.method === 'password' && attempt.password === PASSWORD;
      const isKey = attempt.method === 'publickey' && attempt.key.data.equals(publicBytes(options.clientKey));
      if (attempt.username === USER && (isPassword || isKey)) attempt.accept();
      else attempt.reject(['password', 'publickey']);
    });
    connection.on('ready', () => {
      connection.on('session', (accept) => {
        accept().on('sftp', (acceptSftp) => serve(acceptSftp(), lot, connection));
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const connection of connections) connection.end();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  const hash = createHash('sha256').update(publicBytes(hostKeys.public)).digest('base64');
  return { port: (server.address() as AddressInfo).port, fingerprint: `SHA256:${hash.replace(/=+$/, '')}` };
}

function publicBytes(key: string | undefined): Buffer {
  return Buffer.from(key?.split(' ')[1] ?? '', 'base64');
}

function serve(sftp: SFTPWrapper, lot: RemoteLot, connection: Connection): void {
  const open = new Map<string, RemoteContent>();
  let listing: FileEntry[] | undefined;
  sftp.on('OPENDIR', (id) => {
    if (lot.isSilent === true) return;
    if (lot.isMissing === true) {
      sftp.status(id, STATUS_CODE.NO_SUCH_FILE, 'No such file or directory');
      return;
    }
    listing = [entryOf('.', { text: '', changedAt: 0, isFolder: true })];
    for (const [name, content] of lot.files) listing.push(entryOf(name, content));
    sftp.handle(id, Buffer.from('folder'));
  });
  sftp.on('READDIR', (id) => {
    // One entry a piece, so that a reader has to ask on.
    const next = listing?.shift();
    if (next === undefined) sftp.status(id, STATUS_CODE.EOF);
    else sftp.name(id, [next]);
  });
  sftp.on('OPEN', (id, path, flags) => {
    const name = path.split('/').pop() ?? '';
    lot.onRead?.(name);
    const content = lot.files.get(name);
    if (content === undefined || (flags & OPEN_MODE.READ) === 0) {
      sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
      return;
    }
    lot.reads.push(name);
    open.set(name, content);
    sftp.handle(id, Buffer.from(name));
  });
  sftp.on('READ', (id, handle, offset, length) => {
    const content = open.get(handle.toString());
    const bytes = Buffer.from(content?.text ?? '');
    if (content?.breaksOff === true && offset + length >= bytes.length) {
      connection.end();
      return;
    }
    const piece = bytes.subarray(offset, offset + length);
    if (piece.length === 0) sftp.status(id, STATUS_CODE.EOF);
    else sftp.data(id, piece);
  });
  sftp.on('FSTAT', (id, handle) => {
    const content = open.get(handle.toString());
    if (content === undefined) sftp.status(id, STATUS_CODE.FAILURE);
    else sftp.attrs(id, entryOf('', content).attrs);
  });
  sftp.on('CLOSE', (id) => sftp.status(id, STATUS_CODE.OK));
}

function entryOf(filename: string, content: RemoteContent): FileEntry {
  const attrs = {
    mode: content.isFolder === true ? FOLDER : REGULAR,
    uid: 0,
    gid: 0,
    size: sizeOf(content),
    atime: content.changedAt,
    mtime: content.changedAt,
  };
  return { filename, longname: filename, attrs };
}
