import type { FeedMode } from '../model/intake.ts';
import type { WrittenSource } from './bridge-file.ts';
import type { HttpSourceConfig, SourceConfig } from './config.ts';

const SFTP_PORT = 22;
const FTP_PORT = 21;
const IMPLICIT_TLS_PORT = 990;

/** The source as the program uses it; check-source.ts has made sure that what its kind needs is there. */
export function buildSource(source: WrittenSource, mode: FeedMode): SourceConfig {
  const every_ms = Math.round(source.every_minutes * 60_000);
  const { kind, url = '', host = '', user = '', password, folder, ca } = source;
  const ownCa = ca === undefined ? {} : { ca };
  if (kind === 'http') return { kind, url, every_ms, ...ownCa, ...authOf(source) };
  const place = {
    host,
    user,
    every_ms,
    take: source.take ?? (mode === 'full' ? 'newest' : 'all'),
    ...(folder === undefined ? {} : { folder }),
  } as const;
  if (kind === 'ftp') {
    const tls = source.tls ?? 'explicit';
    const port = source.port ?? (tls === 'implicit' ? IMPLICIT_TLS_PORT : FTP_PORT);
    return { kind, ...place, port, password: password ?? '', tls, ...ownCa };
  }
  const { private_key, passphrase, host_key } = source;
  return {
    kind,
    ...place,
    port: source.port ?? SFTP_PORT,
    ...(password === undefined ? {} : { password }),
    ...(private_key === undefined ? {} : { private_key }),
    ...(passphrase === undefined ? {} : { passphrase }),
    ...(host_key === undefined ? {} : { host_key: host_key.replace(/=$/, '') }),
  };
}

function authOf({ user, password, token }: WrittenSource): Pick<HttpSourceConfig, 'auth'> {
  if (token !== undefined) return { auth: { kind: 'bearer', token } };
  if (user === undefined) return {};
  return { auth: { kind: 'basic', user, password: password ?? '' } };
}
