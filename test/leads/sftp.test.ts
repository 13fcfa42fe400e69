import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import type { SftpDelivery, SftpServer } from '../../src/adapters/crm-adapter.ts';
import { deliverSftp } from '../../src/leads/delivery/sftp.ts';
import { closedPort, startSocket } from './crm-servers.ts';
import { sshKeys } from '../ssh-keys.ts';
import { SFTP_PASSWORD, SFTP_USER, startSftpDrop } from './sftp-drop.ts';

function upload(
  port: number,
  server: Partial<SftpServer> = {},
  changes: Partial<SftpDelivery> = {},
): SftpDelivery {
  return {
    kind: 'sftp',
    server: {
      host: '127.0.0.1',
      port,
      user: SFTP_USER,
      password: SFTP_PASSWORD,
      timeoutMs: 10_000,
      ...server,
    },
    folder: 'in',
    name: 'lead.xml',
    content: '<adf>é</adf>',
    ...changes,
  };
}

it('uploads under a hidden name and renames it when it is whole', async () => {
  const { port, fingerprint, files, asked } = await startSftpDrop();
  const outcome = await deliverSftp(upload(port, { hostKey: fingerprint }));
  expect(outcome).toEqual({ kind: 'sftp', sent: 'yes', stage: 'done', path: 'in/lead.xml' });
  expect([...files]).toEqual([['in/lead.xml', Buffer.from('<adf>é</adf>')]]);
  expect(asked).toEqual([
    'open in/.lead.xml.tmp',
    'write in/.lead.xml.tmp',
    'rename in/.lead.xml.tmp in/lead.xml',
  ]);
});

it('writes the same name again on a second attempt, also where a broken one left half a file', async () => {
  const { port, files } = await startSftpDrop();
  files.set('in/.lead.xml.tmp', Buffer.from('<adf>half a lead that was longer'));
  files.set('in/lead.xml', Buffer.from('<adf>old</adf>'));
  expect(await deliverSftp(upload(port))).toMatchObject({ sent: 'yes' });
  expect([...files]).toEqual([['in/lead.xml', Buffer.from('<adf>é</adf>')]]);
});

it('signs in by key', async () => {
  const keys = sshKeys();
  const { port } = await startSftpDrop({ clientKey: keys.public });
  const { password: _, ...server } = upload(port).server;
  const byKey = { ...server, privateKey: keys.private };
  expect(await deliverSftp({ ...upload(port), server: byKey })).toMatchObject({ sent: 'yes' });
});

it('needs a person when the login is refused', async () => {
  const { port, files } = await startSftpDrop();
  const outcome = await deliverSftp(upload(port, { password: 'wrong-password-1' }));
  expect(outcome).toMatchObject({ sent: 'no', stage: 'auth', needsPerson: true });
  expect(JSON.stringify(outcome)).not.toContain('wrong-password-1');
  expect(files.size).toBe(0);
});

it('needs a person when the key is none or locked', async () => {
  const { port } = await startSftpDrop();
  expect(await deliverSftp(upload(port, { privateKey: 'no key' }))).toMatchObject({
    sent: 'no',
    stage: 'auth',
    needsPerson: true,
  });
  const locked = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem', cipher: 'aes256', passphrase: 'pass-phrase-1' },
  });
  expect(await deliverSftp(upload(port, { privateKey: locked.privateKey }))).toMatchObject({
    needsPerson: true,
  });
});

it('gives neither login nor lead to a server with another key', async () => {
  const { port, asked } = await startSftpDrop();
  const outcome = await deliverSftp(upload(port, { hostKey: `SHA256:${'A'.repeat(43)}` }));
  expect(outcome).toMatchObject({ sent: 'no', stage: 'connect', needsPerson: true });
  expect(outcome.error).toMatch(/^the server shows the key SHA256:/);
  expect(asked).toEqual([]);
});

it.each(['open', 'write', 'rename'] as const)(
  'knows that a refused %s delivered nothing',
  async (operation) => {
    const { port } = await startSftpDrop({ at: (name) => (name === operation ? 'refuse' : undefined) });
    const outcome = await deliverSftp(upload(port));
    expect(outcome).toMatchObject({ sent: 'no', stage: operation === 'rename' ? 'rename' : 'upload' });
    expect(outcome.error).toContain('Permission denied');
  },
);

it('knows that nothing is there when the connection breaks before the rename', async () => {
  const { port } = await startSftpDrop({ at: (name) => (name === 'write' ? 'break' : undefined) });
  expect(await deliverSftp(upload(port))).toMatchObject({ sent: 'no', stage: 'upload' });
});

it.each(['break', 'silent'] as const)(
  'cannot know what became of a rename without an answer (%s)',
  async (fate) => {
    const { port } = await startSftpDrop({ at: (name) => (name === 'rename' ? fate : undefined) });
    expect(await deliverSftp(upload(port, { timeoutMs: 1000 }))).toMatchObject({
      sent: 'maybe',
      stage: 'rename',
    });
  },
);

it('gives up a server that is not there, or never says hello', async () => {
  const absent = await deliverSftp(upload(await closedPort()));
  expect(absent).toMatchObject({ sent: 'no', stage: 'connect' });
  expect(absent.error).toContain('ECONNREFUSED');
  const silent = await startSocket(() => undefined);
  expect(await deliverSftp(upload(silent, { timeoutMs: 200 }))).toMatchObject({
    sent: 'no',
    stage: 'connect',
  });
});

it.each(['../lead.xml', 'a/b.xml', '', '.hidden'])('refuses the file name %j', async (name) => {
  expect(await deliverSftp(upload(1, {}, { name }))).toMatchObject({ sent: 'no', stage: 'upload' });
});
