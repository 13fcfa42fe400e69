import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Problem } from '../model/problem.ts';
import { judgeTlsPair } from '../model/tls-pair.ts';
import type { Config } from './config.ts';
import { isLoopback } from './loopback.ts';

const DAY_MS = 86_400_000;
const EARLY_DAYS = 21;

/** What is allowed and yet seldom meant, of settings that stand between the bridge and the internet. */
export async function exposureWarnings(config: Config, now: number): Promise<Problem[]> {
  const { server, access, rate_limits: rateLimits } = config;
  const { host, tls, public_url: publicUrl, trusted_proxies: proxies } = server;
  const warnings: Problem[] = [];
  const warn = (path: string, message: string): void => {
    warnings.push({ code: 'CONFIG_EXPOSURE', message, where: { file: basename(config.file), path } });
  };
  const isOpen = !isLoopback(host);
  if (isOpen && tls === undefined && proxies.length === 0 && publicUrl === undefined) {
    warn(
      'server.host',
      `${host} is open to the network without encryption. Set server.tls, or put a proxy in front and name it in ` +
        'server.trusted_proxies and server.public_url; for this machine alone write 127.0.0.1.',
    );
  }
  const { admin_host: adminHost } = server;
  if (!isLoopback(adminHost)) {
    warn(
      'server.admin_host',
      `everybody who reaches ${adminHost} on this network can read health and metrics without a login. Write ` +
        '127.0.0.1, or let the firewall pass only the monitoring to server.admin_port.',
    );
  }
  const isBehindProxy = tls === undefined && publicUrl?.startsWith('https:') === true;
  if (isBehindProxy && proxies.length === 0 && rateLimits.enabled) {
    warn(
      'server.trusted_proxies',
      'the public address is https and the server speaks http, so a proxy stands in front. Name its address here, ' +
        'or all callers share one budget of calls.',
    );
  }
  if (isOpen && tls === undefined && access.require_token !== 'none' && proxies.length === 0) {
    warn('access', 'tokens would travel without encryption: set server.tls or put a proxy in front.');
  }
  const { tokens_file: file } = access;
  if (
    file !== undefined &&
    !existsSync(file) &&
    access.require_token !== 'none' &&
    access.tokens.length === 0
  ) {
    warn(
      'access.tokens_file',
      `${file} is not there yet, so nobody has a token. Run: dealer-bridge token new NAME.`,
    );
  }
  const left = tls === undefined ? undefined : await daysLeft(tls, now);
  if (left !== undefined && left < EARLY_DAYS) {
    warn(
      'server.tls.cert',
      left < 0 ? 'the certificate has expired.' : `the certificate expires in ${left} days.`,
    );
  }
  return warnings;
}

async function daysLeft({ cert, key, passphrase }: NonNullable<Config['server']['tls']>, now: number) {
  const [certText, keyText] = await Promise.all([readFile(cert, 'utf8'), readFile(key, 'utf8')]);
  const judgement = judgeTlsPair({ cert: certText, key: keyText, passphrase });
  return judgement.ok ? Math.floor((judgement.expiresAt - now) / DAY_MS) : undefined;
}
