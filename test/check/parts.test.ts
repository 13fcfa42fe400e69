import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { LOOPBACK_CERTIFICATE, LOOPBACK_KEY } from '../feeds-sources/loopback-certificate.ts';
import { clockFindings } from '../../src/bridge/probe/clock.ts';
import { spaceFinding } from '../../src/bridge/probe/disk-space.ts';
import { linuxPlace, windowsPlace } from '../../src/bridge/probe/network-share.ts';
import { nodeFinding } from '../../src/bridge/probe/program.ts';
import { certificateFindings } from '../../src/bridge/probe/certificate.ts';
import { tokenFinding } from '../../src/bridge/probe/tokens.ts';
import { within } from '../../src/bridge/probe/within.ts';

const NOW = Date.parse('2026-11-30T12:00:00Z');
const MINUTE = 60_000;

it.each([
  ['1970-01-01T00:03:00Z', {}, 'fail', 'the year 1970'],
  ['2126-01-01T00:00:00Z', {}, 'fail', 'the year 2126'],
  ['2026-11-30T12:00:00Z', { newestFile: NOW + MINUTE }, 'ok', '2026-11-30T12:00:00Z'],
  [
    '2026-11-30T12:00:00Z',
    { newestFile: NOW + 10 * MINUTE },
    'warn',
    'a file of the data folder was written at 2026-11-30T12:10:00Z',
  ],
  [
    '2026-11-30T12:00:00Z',
    { lastLead: NOW + 90 * MINUTE },
    'fail',
    'the last lead came in at 2026-11-30T13:30:00Z',
  ],
])('judges a clock of %s beside %o: %s', (now, witnesses, status, words) => {
  const [finding] = clockFindings(Date.parse(now), { servers: [], ...witnesses });
  expect(finding).toMatchObject({ status });
  expect(finding?.text).toContain(words);
});

it('compares the clock with those of servers', () => {
  const servers = [
    { name: 'near.example', time: NOW - MINUTE },
    { name: 'far.example', time: NOW - 7 * MINUTE },
  ];
  expect(clockFindings(NOW, { servers })).toMatchObject([
    { status: 'warn', text: 'The clock is 7 minutes ahead of that of far.example.' },
  ]);
  expect(clockFindings(NOW, { servers: servers.slice(0, 1) })).toMatchObject([{ status: 'ok' }]);
  expect(clockFindings(NOW - 120 * MINUTE, { servers })).toMatchObject([{ status: 'fail' }]);
});

it.each([
  [2000, 'ok'],
  [1999.9, 'warn'],
  [200, 'warn'],
  [199.9, 'fail'],
])('calls %d MB free of at least 2000 %s', (free, status) => {
  expect(spaceFinding('disk:data', 'the data folder', free, 2000).status).toBe(status);
});

it.each([
  ['22.17.9', 'fail'],
  ['22.18.0', 'ok'],
  ['24.0.0', 'ok'],
  ['20.19.0', 'fail'],
])('finds Node %s %s', (node, status) => {
  expect(nodeFinding(node, '1.0.0').status).toBe(status);
});

it('tells a share from a mapped drive and a disk', () => {
  expect(windowsPlace(String.raw`\\nas\inbox`, String.raw`\\nas\inbox`)).toEqual({ kind: 'share' });
  expect(windowsPlace(String.raw`Z:\inbox`, String.raw`\\nas\dealer\inbox`)).toEqual({
    kind: 'mapped-drive',
    share: String.raw`\\nas\dealer\inbox`,
  });
  expect(windowsPlace(String.raw`C:\inbox`, String.raw`C:\inbox`)).toEqual({ kind: 'local' });
  expect(windowsPlace(String.raw`\\?\C:\inbox`, String.raw`\\?\C:\inbox`)).toEqual({ kind: 'local' });
  expect(windowsPlace(String.raw`\\?\UNC\nas\inbox`, String.raw`\\?\UNC\nas\inbox`)).toEqual({
    kind: 'share',
  });
});

it('waits for no probe longer than its time, and makes a finding of one that breaks down', async () => {
  const never = (): Promise<never> => new Promise(() => undefined);
  expect(await within('slow', 'The share', never, 1)).toMatchObject([
    { key: 'slow', status: 'fail', text: 'The share: nothing came of it within 0 seconds.' },
  ]);
  const broken = (): Promise<never> => Promise.reject(new Error('it burns'));
  expect(await within('broken', 'The disk', broken)).toMatchObject([
    { status: 'fail', text: 'The disk: it burns' },
  ]);
});

it('tells shares on Linux by what is mounted nearest', () => {
  const mounts = [
    '22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw',
    '40 22 0:45 / /mnt/nas\\040one rw shared:9 - cifs //nas/one rw',
    '41 22 8:17 / /mnt/usb rw - fuseblk /dev/sdb1 rw',
    '42 40 8:33 / /mnt/nas\\040one/local rw - xfs /dev/sdc1 rw',
  ].join('\n');
  expect(linuxPlace('/var/lib/dealer-bridge', mounts)).toEqual({ kind: 'local' });
  expect(linuxPlace('/mnt/nas one/inbox', mounts)).toEqual({ kind: 'share' });
  expect(linuxPlace('/mnt/nas one/local/inbox', mounts)).toEqual({ kind: 'local' });
  expect(linuxPlace('/mnt/nas one too', mounts)).toEqual({ kind: 'local' });
  expect(linuxPlace('/mnt/usb', mounts)).toEqual({ kind: 'local' });
});

it.each([
  [20, 'ok'],
  [13.5, 'warn'],
  [1.5, 'fail'],
  [-1.5, 'fail'],
])('calls a certificate that holds for %d days more %s', async (days, status) => {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const tls = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  writeFileSync(tls.cert, LOOPBACK_CERTIFICATE);
  writeFileSync(tls.key, LOOPBACK_KEY);
  const end = Date.parse(new X509Certificate(LOOPBACK_CERTIFICATE).validTo);
  const config = { server: { tls }, alerts: { certificate_days: 14 } } as unknown as Config;
  expect(await certificateFindings(config, end - days * 86_400_000)).toMatchObject([{ status }]);
  writeFileSync(tls.key, LOOPBACK_CERTIFICATE);
  expect(await certificateFindings(config, end - 20 * 86_400_000)).toMatchObject([
    { status: 'fail', text: `${tls.key} holds no private key in PEM form.` },
  ]);
});

it('tells callers whose tokens have run out, and that nobody has one', async () => {
  const hash = `sha256:${'0'.repeat(64)}`;
  const old = { name: 'shopper', hash, expires: '2026-11-29' };
  expect(await tokenFinding({ require_token: 'all', tokens: [old] }, NOW)).toMatchObject({
    status: 'warn',
    text: 'Some or all calls need a token, and nobody has one that works.',
  });
  const fresh = { name: 'buyer', hash, expires: '2026-11-30' };
  expect(await tokenFinding({ require_token: 'none', tokens: [old, fresh] }, NOW)).toMatchObject({
    status: 'warn',
    text: 'Everybody may call without a token; expired: shopper.',
  });
  expect(await tokenFinding({ require_token: 'all', tokens: [fresh] }, NOW)).toMatchObject({
    status: 'ok',
    text: 'Some or all calls need a token; 1 token works.',
  });
});
