import { createPrivateKey, X509Certificate } from 'node:crypto';

/** A certificate (the first of a chain) and its private key, as PEM texts. */
export interface TlsPair {
  cert: string;
  key: string;
  passphrase?: string | undefined;
}

export type TlsJudgement =
  | { ok: true; /** Milliseconds since 1970. */ expiresAt: number }
  /** Which of the two is at fault, and why, in words that quote nothing of the key. */
  | { ok: false; part: 'cert' | 'key'; reason: string };

/** Whether the two can be read and belong together. An expired certificate is none the less a sound pair. */
export function judgeTlsPair({ cert, key, passphrase }: TlsPair): TlsJudgement {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(cert);
  } catch {
    return { ok: false, part: 'cert', reason: 'holds no certificate in PEM form' };
  }
  let privateKey;
  try {
    privateKey = createPrivateKey({ key, ...(passphrase === undefined ? {} : { passphrase }) });
  } catch {
    return { ok: false, part: 'key', reason: whyNoKey(key, passphrase) };
  }
  if (!certificate.checkPrivateKey(privateKey)) {
    return { ok: false, part: 'key', reason: 'does not belong to the certificate' };
  }
  return { ok: true, expiresAt: Date.parse(certificate.validTo) };
}

function whyNoKey(key: string, passphrase: string | undefined): string {
  if (passphrase !== undefined) return 'holds no private key in PEM form that the passphrase opens';
  // Both forms of an encrypted key in PEM say it in words.
  return key.includes('ENCRYPTED') ? 'needs a passphrase' : 'holds no private key in PEM form';
}
