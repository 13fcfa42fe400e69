import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectPlain } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import type { TLSSocket } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../src/model/log.ts';
import { judgeTlsPair } from '../../src/model/tls-pair.ts';
import { Certificate } from '../../src/web/certificate.ts';
import { createPublicServer } from '../../src/web/server.ts';
import type { PublicServer } from '../../src/web/server.ts';
import { openDealership } from '../agent/dealership.ts';
import { LOOPBACK_CERTIFICATE, LOOPBACK_KEY } from '../feeds-sources/loopback-certificate.ts';
import { INFORMATION, sendMessage } from './live-agent.ts';
import { RENEWED_CERTIFICATE, RENEWED_KEY, RENEWED_KEY_ENCRYPTED } from './renewed-certificate.ts';

let folder: string;
let files: { cert: string; key: string };
let server: PublicServer | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tls-'));
  files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  writeFileSync(files.cert, LOOPBACK_CERTIFICATE);
  writeFileSync(files.key, LOOPBACK_KEY);
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  rmSync(folder, { recursive: true });
});

async function listen(
  headerSeconds = 10,
): Promise<{ port: number; publicUrl: string; server: PublicServer }> {
  const { agent, config } = openDealership();
  const limits = { ...config.server.limits, header_timeout_seconds: headerSeconds };
  const opened = createPublicServer(
    agent,
    { ...config, server: { ...config.server, tls: files, limits } },
    silentLog,
  );
  server = opened;
  return { ...(await opened.listen(0, '127.0.0.1')), server: opened };
}

const body = JSON.stringify(sendMessage(INFORMATION));
const CALL = `POST /a2a HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

/** A connection that trusts exactly this certificate. */
async function trusting(port: number, ca: string): Promise<TLSSocket> {
  const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', ca });
  await once(socket, 'secureConnect');
  return socket;
}

async function ask(socket: TLSSocket): Promise<string> {
  let text = '';
  const isWhole = (): boolean => text.includes('"dealer.information.response"');
  const answered = new Promise<void>((resolve, reject) => {
    socket.on('data', (data: Buffer) => {
      text += data.toString();
      if (isWhole()) resolve();
    });
    socket.once('close', () => reject(new Error('closed')));
  });
  socket.write(CALL);
  await answered;
  return text;
}

describe('https', () => {
  it('is what the server speaks, with its address and a word to browsers to stay there', async () => {
    const { port, publicUrl } = await listen();
    expect(publicUrl).toBe(`https://127.0.0.1:${port}`);
    const reply = await ask(await trusting(port, LOOPBACK_CERTIFICATE));
    expect(reply).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(reply).toContain('Strict-Transport-Security: max-age=31536000\r\n');
  });

  it('is not spoken below TLS 1.2', async () => {
    const { port } = await listen();
    const old = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, maxVersion: 'TLSv1.1' });
    const [fault] = (await once(old, 'error')) as [NodeJS.ErrnoException];
    expect(fault.code).toMatch(/PROTOCOL_VERSION|NO_PROTOCOLS/);
    const modern = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, maxVersion: 'TLSv1.2' });
    await once(modern, 'secureConnect');
    modern.destroy();
  });

  it('closes on those who never end the handshake', async () => {
    const { port } = await listen(0.2);
    const socket = connectPlain(port, '127.0.0.1');
    socket.resume();
    socket.on('error', () => socket.destroy());
    await once(socket, 'close');
  });
});

describe('a renewed certificate', () => {
  it('is used for new connections, and open ones go on', async () => {
    const { port, server: running } = await listen();
    const before = await trusting(port, LOOPBACK_CERTIFICATE);
    writeFileSync(files.cert, RENEWED_CERTIFICATE);
    await expect.poll(() => running.tls()?.reload_fault, { timeout: 10_000 }).toMatch(/does not belong/);
    expect(await ask(await trusting(port, LOOPBACK_CERTIFICATE))).toMatch(/^HTTP\/1\.1 200 /);
    writeFileSync(files.key, RENEWED_KEY);
    await expect.poll(() => running.tls()?.reload_fault, { timeout: 10_000 }).toBeUndefined();
    expect(await ask(await trusting(port, RENEWED_CERTIFICATE))).toMatch(/^HTTP\/1\.1 200 /);
    expect(await ask(before)).toMatch(/^HTTP\/1\.1 200 /);
    await expect(trusting(port, LOOPBACK_CERTIFICATE)).rejects.toThrow();
  });

  it('that is gone or broken keeps the old one in use', async () => {
    const { port, server: running } = await listen();
    rmSync(files.cert);
    await expect.poll(() => running.tls()?.reload_fault, { timeout: 10_000 }).toMatch(/ENOENT/);
    writeFileSync(files.cert, 'garbage');
    await expect.poll(() => running.tls()?.reload_fault, { timeout: 10_000 }).toMatch(/no certificate/);
    expect(await ask(await trusting(port, LOOPBACK_CERTIFICATE))).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('the end of a certificate', () => {
  const END = Date.parse('2126-11-06T13:41:27Z');
  const at = (daysBefore: number) => {
    const now = END - daysBefore * 86_400_000;
    return new Certificate(files, { now: () => now }, silentLog).status();
  };

  it.each([
    [100, { days_left: 100 }],
    [21, { days_left: 21 }],
    [20.5, { days_left: 20, warning: 'the certificate expires in 20 days' }],
    [-1, { days_left: -1, warning: 'the certificate has expired' }],
  ])('is told %d days before', (days, status) => {
    expect(at(days)).toEqual({ expires_at: '2126-11-06T13:41:27Z', ...status });
  });

  it('a start without a sound pair is refused in words', () => {
    writeFileSync(files.key, RENEWED_KEY);
    expect(() => at(1)).toThrow(`server.tls: ${files.key} does not belong to the certificate`);
  });
});

describe('a pair', () => {
  const judge = (cert: string, key: string, passphrase?: string) => {
    const judgement = judgeTlsPair({ cert, key, passphrase });
    return judgement.ok ? 'sound' : `${judgement.part} ${judgement.reason}`;
  };

  it('is judged by what is in it', () => {
    expect(judge(LOOPBACK_CERTIFICATE, LOOPBACK_KEY)).toBe('sound');
    expect(judge(RENEWED_CERTIFICATE + LOOPBACK_CERTIFICATE, RENEWED_KEY)).toBe('sound');
    expect(judge(RENEWED_CERTIFICATE, RENEWED_KEY_ENCRYPTED, 'open-sesame')).toBe('sound');
    expect(judge(RENEWED_CERTIFICATE, RENEWED_KEY_ENCRYPTED)).toBe('key needs a passphrase');
    expect(judge(RENEWED_CERTIFICATE, RENEWED_KEY_ENCRYPTED, 'wrong')).toBe(
      'key holds no private key in PEM form that the passphrase opens',
    );
    expect(judge(LOOPBACK_KEY, LOOPBACK_KEY)).toBe('cert holds no certificate in PEM form');
    expect(judge(LOOPBACK_CERTIFICATE, LOOPBACK_CERTIFICATE)).toBe('key holds no private key in PEM form');
    expect(judge(LOOPBACK_CERTIFICATE, RENEWED_KEY)).toBe('key does not belong to the certificate');
  });
});
