import { sign } from 'node:crypto';

const LIFETIME_SECONDS = 3600;

/** A JSON Web Token signed RS256 (RFC 7519), good for an hour from `now`, in milliseconds. Throws on a key that is none. */
export function jsonWebToken(
  claims: Readonly<Record<string, string>>,
  { privateKey, keyId }: { privateKey: string; keyId?: string | undefined },
  now: number,
): string {
  const issuedAt = Math.floor(now / 1000);
  const header = { alg: 'RS256', typ: 'JWT', ...(keyId !== undefined && { kid: keyId }) };
  const signed = [header, { ...claims, iat: issuedAt, exp: issuedAt + LIFETIME_SECONDS }]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), privateKey).toString('base64url')}`;
}
