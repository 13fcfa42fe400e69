import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { openLeadStore } from '../../src/leads/store.ts';
import { LEAD_MIGRATIONS } from '../../src/leads/store-schema.ts';
import { lockDataFolder } from '../../src/runtime/data-folder-lock.ts';
import { runCommand } from '../cli/run-command.ts';
import { startSftp } from '../feeds-sources/sftp-server.ts';
import { PASSWORD, remoteLot, USER } from '../feeds-sources/remote-lot.ts';
import { closedPort, startHttp, startSmtp } from '../leads/crm-servers.ts';
import { startSftpDrop, SFTP_PASSWORD, SFTP_USER } from '../leads/sftp-drop.ts';
import { subfolder } from '../backup/backup-bench.ts';
import { alertsTo, dealership } from './dealership.ts';

it('finds all well, ends with 0, and leaves nothing behind', async () => {
  const webhook = await startHttp((_request, response) => response.end());
  const { folder, data, words, probe } = await dealership({
    more: alertsTo(`${webhook.url}/hook-path-4711`),
  });
  const probed = await probe();
  expect(probed.checks.filter(({ status }) => status !== 'ok')).toEqual([]);
  expect(probed).toMatchObject({ code: 0, status: 'ok', err: '' });
  expect(readdirSync(folder)).toEqual(['bridge.yaml']);
  expect(existsSync(data)).toBe(false);
  expect(webhook.received).toMatchObject([{ method: 'HEAD', url: '/', body: '' }]);

  const text = await runCommand(['check', '--probe', ...words]);
  expect(text.code).toBe(0);
  expect(text.out).toContain('ok    folder:data: The data folder');
  expect(text.out).toMatch(/\n0 failures, 0 warnings, \d+ fine\.\n$/);
});

it('ends with 1 when there are only warnings', async () => {
  const { probe } = await dealership({ more: 'alerts: { disk_free_mb: 10 }\n' });
  const probed = await probe();
  expect(probed).toMatchObject({ code: 1, status: 'warn' });
  expect(probed.byKey('alerts')).toMatchObject([
    { status: 'warn', text: 'Nobody is told when something is wrong.' },
  ]);
});

it('goes each way to the CRM up to where the lead would be handed over', async () => {
  const logins: string[] = [];
  const smtp = await startSmtp({
    onAuth: ({ username, password }, _session, done) => {
      logins.push(`${username} ${password}`);
      done(null, { user: username });
    },
  });
  const http = await startHttp((_request, response) => response.writeHead(404).end());
  const sftp = await startSftpDrop();
  const { probe } = await dealership({
    destinations: `
    - ${MAIL.replace('PORT', String(smtp.port))}
    - { id: web, adapter: adf-http, options: { url: "${http.url}/leads?store=7", auth: { kind: bearer, token: web-token-4711 } } }
    - { id: box, adapter: adf-sftp, options: { host: 127.0.0.1, port: ${sftp.port}, user: ${SFTP_USER}, password: ${SFTP_PASSWORD}, host_key: "${sftp.fingerprint}", folder: in } }`,
  });
  const probed = await probe();
  expect(probed.byKey('destination:mail')).toEqual([
    {
      key: 'destination:mail',
      status: 'ok',
      text: 'Destination mail (127.0.0.1): the mail server takes the login.',
    },
  ]);
  expect(probed.byKey('destination:web')).toMatchObject([{ status: 'ok' }]);
  expect(probed.byKey('destination:box')).toMatchObject([{ status: 'ok' }]);
  expect(logins).toEqual(['dealer mail-password-4711']);
  expect(smtp.received).toEqual([]);
  expect(http.received).toMatchObject([{ method: 'HEAD', url: '/', body: '' }]);
  expect(http.received[0]?.headers.authorization).toBeUndefined();
  expect(sftp.files.size).toBe(0);
});

it('explains each way that does not work, with what to do, and tells no secret', async () => {
  const smtp = await startSmtp({
    onAuth: ({ password }, _session, done) =>
      done(new Error(`5.7.8 ${String(password)} is no password of yours`)),
  });
  const nobody = await closedPort();
  const lot = remoteLot();
  lot.isMissing = true;
  const sftp = await startSftp(lot);
  const { probe } = await dealership({
    destinations: `
    - ${MAIL.replace('PORT', String(smtp.port))}
    - { id: web, adapter: adf-http, options: { url: "http://127.0.0.1:${nobody}/leads", auth: { kind: bearer, token: web-token-4711 } } }`,
    feeds: `
  - { id: stock, profile: aap, rooftop: ONE, source: { kind: sftp, host: 127.0.0.1, port: ${sftp.port}, user: ${USER}, password: "${PASSWORD}", host_key: "${sftp.fingerprint}", folder: exports } }`,
  });
  const probed = await probe();
  expect(probed.code).toBe(2);
  const [mail] = probed.byKey('destination:mail');
  expect(mail).toMatchObject({
    status: 'fail',
    remedy: 'Check smtp.user and its password or token, and whether the mailbox may send by SMTP.',
  });
  expect(mail?.text).toContain('The mail server does not accept the login.');
  const [web] = probed.byKey('destination:web');
  expect(web?.text).toContain('nothing listens on that port');
  const [source] = probed.byKey('source:stock');
  expect(source).toMatchObject({
    status: 'fail',
    remedy: 'Mend what it says, then try: dealer-bridge feed fetch stock',
  });
  expect(source?.text).toContain('the folder exports cannot be listed');
  expect(probed.out).not.toMatch(/mail-password-4711|web-token-4711|correct horse/);
});

it('sees whether a source has files of the feed, and fetches none', async () => {
  const lot = remoteLot();
  const sftp = await startSftp(lot);
  const { data, probe } = await dealership({
    feeds: `
  - { id: stock, profile: aap, rooftop: ONE, files: "*.csv", source: { kind: sftp, host: 127.0.0.1, port: ${sftp.port}, user: ${USER}, password: "${PASSWORD}", host_key: "${sftp.fingerprint}" } }`,
  });
  expect((await probe()).byKey('source:stock')).toMatchObject([
    { status: 'warn', text: expect.stringContaining('has no file whose name matches *.csv') as string },
  ]);
  lot.files.set('stock.csv', { text: 'vin\n', changedAt: 1_780_000_000 });
  expect((await probe()).byKey('source:stock')).toMatchObject([{ status: 'ok' }]);
  expect(lot.reads).toEqual([]);
  expect(existsSync(data)).toBe(false);
});

it('tells folders that cannot be used, and ports that somebody else holds', async () => {
  const { data, port, probe } = await dealership({ feeds: '[{ id: stock, profile: aap, rooftop: ONE }]' });
  mkdirSync(data);
  writeFileSync(join(data, 'outgoing'), 'a file');
  writeFileSync(join(data, 'inbox'), 'a file');
  const other = createServer().listen(port, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const probed = await probe();
  expect(probed.code).toBe(2);
  expect(probed.byKey('folder:destination:crm')).toEqual([
    {
      key: 'folder:destination:crm',
      status: 'fail',
      text: `The folder of destination crm ${join(data, 'outgoing')} cannot be reached (ENOTDIR).`,
      remedy: 'A file stands where the folder should be: move it away, or name another folder.',
    },
  ]);
  expect(probed.byKey('folder:inbox:stock')).toMatchObject([{ status: 'fail' }]);
  expect(probed.byKey('port:public')).toMatchObject([
    {
      status: 'fail',
      text: expect.stringContaining(`Port ${port} (server.port) is already in use`) as string,
    },
  ]);
  expect(probed.byKey('port:admin')).toMatchObject([{ status: 'ok' }]);
  expect(readdirSync(data).sort()).toEqual(['inbox', 'outgoing']);
});

it('knows a bridge that holds the data folder and does not serve with these settings', async () => {
  const { data, probe } = await dealership();
  mkdirSync(data);
  onTestFinished(lockDataFolder(data));
  expect((await probe()).byKey('bridge')).toMatchObject([
    {
      status: 'warn',
      text: expect.stringContaining(
        'A bridge runs on the data folder, but not with these settings',
      ) as string,
    },
  ]);
});

it('goes through the databases: whole, of a newer program, or damaged', async () => {
  const { data, probe } = await dealership();
  mkdirSync(data);
  const file = join(data, 'leads.db');
  await openLeadStore(file).close();
  expect((await probe()).byKey('database:leads')).toMatchObject([
    { status: 'ok', text: 'leads.db and its consent ledger are whole.' },
  ]);
  const database = new Database(file);
  database.pragma(`user_version = ${LEAD_MIGRATIONS.length + 1}`);
  database.close();
  expect((await probe()).byKey('database:leads')).toMatchObject([
    {
      status: 'fail',
      text: expect.stringContaining('was written by a newer dealer-bridge') as string,
      remedy: 'Install the program that wrote it again; there is no good backup from before its start.',
    },
  ]);
  const stored = (form: number, day: number, version: string, faults: string[] = []) => {
    const name = `202611${day}T020000Z`;
    const backup = subfolder(data, 'backups', name);
    const manifest = {
      ...{ format: 1, id: name, name, taken_at: `2026-11-${day}T02:00:00Z`, reason: 'nightly' },
      ...{ program_version: version, data_folder: data, files: [], left_out: [], encrypted: false, faults },
      databases: [{ name: 'leads.db', form, tables: {} }],
    };
    writeFileSync(join(backup, 'manifest.json'), JSON.stringify(manifest));
  };
  stored(LEAD_MIGRATIONS.length, 20, '0.1.0');
  stored(LEAD_MIGRATIONS.length, 21, '0.1.0');
  stored(LEAD_MIGRATIONS.length, 22, '0.1.0', ['does not hold']);
  stored(LEAD_MIGRATIONS.length + 1, 23, '0.2.0');
  expect((await probe()).byKey('database:leads')).toMatchObject([
    {
      remedy:
        'Install the program that wrote it, 0.2.0, again, or go back to the newest backup that this program reads, of ' +
        '2026-11-21T02:00:00Z (program 0.1.0): dealer-bridge backup restore 20261121T020000Z. Leads that came since are ' +
        'not in it.',
    },
  ]);
  writeFileSync(
    file,
    'no database, but long enough to look like one to whoever reads only its length'.repeat(40),
  );
  const damaged = await probe();
  expect(damaged.code).toBe(2);
  expect(damaged.byKey('database:leads')).toMatchObject([
    { status: 'fail', remedy: expect.stringContaining('restore the last backup') as string },
  ]);
});

it('warns of a second place that is missing or on the same disk, and makes none', async () => {
  const { folder, probe } = await dealership({ more: 'backup: { copy_to: second }\n' });
  const second = join(folder, 'second');
  expect((await probe()).byKey('folder:backup-copy')).toMatchObject([
    { status: 'warn', text: `The second place of backups ${second} is not there, so no backup is copied.` },
  ]);
  expect(existsSync(second)).toBe(false);
  mkdirSync(second);
  expect((await probe()).byKey('folder:backup-copy')).toMatchObject([
    {
      status: 'warn',
      text: `The second place of backups ${second} is on the disk of the data folder, and would be lost with it.`,
    },
  ]);
});

it('a key of backups that is missing or none is found without --probe, too', async () => {
  const { folder, words } = await dealership({ more: 'backup: { key_file: backup.key }\n' });
  const missing = await runCommand(['check', ...words]);
  expect(missing).toMatchObject({ code: 1, out: '' });
  expect(missing.err).toMatch(/^bridge\.yaml backup\.key_file: The key file .* cannot be read \(ENOENT\)/);
  writeFileSync(join(folder, 'backup.key'), 'abc');
  expect((await runCommand(['check', ...words])).err).toContain('backup.key is no key file');
  writeFileSync(join(folder, 'backup.key'), 'ab'.repeat(32));
  expect((await runCommand(['check', ...words])).code).toBe(0);
});

it('tells that the network can read health and metrics', async () => {
  const { config, words, probe } = await dealership();
  writeFileSync(
    config,
    readFileSync(config, 'utf8').replace('admin_port', "admin_host: '0.0.0.0', admin_port"),
  );
  const told = 'everybody who reaches 0.0.0.0 on this network can read health and metrics without a login.';
  expect((await runCommand(['check', ...words])).err).toContain(told);
  const [finding] = (await probe()).byKey('exposure:server.admin_host');
  expect(finding).toMatchObject({ status: 'warn', text: expect.stringContaining(told) as string });
});

it('has a clock that was set back, by the time of the last lead', async () => {
  const { data, probe } = await dealership();
  mkdirSync(data);
  const file = join(data, 'leads.db');
  await openLeadStore(file).close();
  const database = new Database(file);
  const tomorrow = Date.now() + 86_400_000;
  database
    .prepare(
      "INSERT INTO leads (lead_id, received_at, rooftop_id, request, reply) VALUES ('one', ?, 'ONE', '{}', '{}')",
    )
    .run(tomorrow);
  database.close();
  const [clock] = (await probe()).byKey('clock');
  expect(clock).toMatchObject({
    status: 'fail',
    text: expect.stringContaining('the last lead came in at') as string,
  });
});

it('tells faults in the settings as failures', async () => {
  const { probe } = await dealership({ feeds: '[{ id: stock, profile: aapp, rooftop: ONE }]' });
  const probed = await probe();
  expect(probed.code).toBe(2);
  const [fault] = probed.byKey('settings');
  expect(fault?.text).toMatch(
    /^bridge\.yaml:\d+:\d+ feeds\[0\]\.profile: no profile "aapp"; did you mean "aap"\?$/,
  );
});

it('refuses options that mean nothing without --probe', async () => {
  const { words } = await dealership();
  expect(await runCommand(['check', '--json', ...words])).toEqual({
    code: 2,
    out: '',
    err: '--json, --port and --admin-port go with --probe.\n',
  });
});

const MAIL = `id: mail
      adapter: adf-email
      options:
        smtp: { host: 127.0.0.1, port: PORT, security: none, user: dealer, password: mail-password-4711 }
        from: { name: One Store, address: bridge@onestore.example }
        to: [{ name: CRM, address: leads@crm.example }]`;
