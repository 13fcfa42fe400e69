import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import ssh2, { type Connection, type SFTPWrapper } from 'ssh2';
import { onTestFinished } from 'vitest';
import { sshKeys } from '../ssh-keys.ts';

const { STATUS_CODE } = ssh2.utils.sftp;
export const SFTP_USER = 'dealer';
export const SFTP_PASSWORD = 'open-sesame-4711';

interface DropOptions {
  clientKey?: string;
  /** Called before each answer; `break` ends the connection, `silent` never answers, `refuse` says no. */
  at?: (operation: 'open' | 'write' | 'rename', path: string) => 'break' | 'silent' | 'refuse' | undefined;
}

/** A real SSH server on loopback that takes files into `files` and notes what it was asked. */
export async function startSftpDrop(options: DropOptions = {}) {
  const hostKeys = sshKeys();
  const files = new Map<string, Buffer>();
  const asked: string[] = [];
  const connections = new Set<Connection>();
  const server = new ssh2.Server({ hostKeys: [hostKeys.private] }, (connection) => {
    connections.add(connection);
    connection.on('error', () => undefined);
    connection.on('authentication', (attempt) => {
      const isPassword = attempt.method === 'password' && attempt.password === SFTP_PASSWORD;
      const isKey =
        attempt.method === 'publickey' &&
        options.clientKey !== undefined &&
        attempt.key.data.equals(publicBytes(options.clientKey));
      if (attempt.username === SFTP_USER && (isPassword || isKey)) attempt.accept();
      else attempt.reject(['password', 'publickey']);
    });
    connection.on('ready', () => {
      connection.on('session', (accept) => {
        accept().on('sftp', (acceptSftp) => serve(acceptSftp(), connection, { files, asked, options }));
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
  return {
    port: (server.address() as AddressInfo).port,
    fingerprint: `SHA256:${hash.replace(/=+$/, '')}`,
    files,
    asked,
  };
}

function publicBytes(key: string): Buffer {
  return Buffer.from(key.split(' ')[1] ?? '', 'base64');
}

function serve(
  sftp: SFTPWrapper,
  connection: Connection,
  { files, asked, options }: { files: Map<string, Buffer>; asked: string[]; options: DropOptions },
): void {
  const answer = (id: number, operation: 'open' | 'write' | 'rename', path: string, proceed: () => void) => {
    asked.push(`${operation} ${path}`);
    const fate = options.at?.(operation, path);
    if (fate === 'silent') return;
    if (fate === 'break') connection.end();
    else if (fate === 'refuse') sftp.status(id, STATUS_CODE.PERMISSION_DENIED, 'Permission denied');
    else proceed();
  };
  sftp.on('OPEN', (id, path) =>
    answer(id, 'open', path, () => {
      files.set(path, Buffer.alloc(0));
      sftp.handle(id, Buffer.from(path));
    }),
  );
  sftp.on('WRITE', (id, handle, offset, data) => {
    const path = handle.toString();
    answer(id, 'write', path, () => {
      files.set(path, Buffer.concat([(files.get(path) ?? Buffer.alloc(0)).subarray(0, offset), data]));
      sftp.status(id, STATUS_CODE.OK);
    });
  });
  sftp.on('CLOSE', (id) => sftp.status(id, STATUS_CODE.OK));
  sftp.on('REMOVE', (id, path) => {
    sftp.status(id, files.delete(path) ? STATUS_CODE.OK : STATUS_CODE.NO_SUCH_FILE);
  });
  sftp.on('RENAME', (id, from, to) =>
    answer(id, 'rename', `${from} ${to}`, () => {
      if (files.has(to)) {
        sftp.status(id, STATUS_CODE.FAILURE);
        return;
      }
      files.set(to, files.get(from) ?? Buffer.alloc(0));
      files.delete(from);
      sftp.status(id, STATUS_CODE.OK);
    }),
  );
}
