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
  } catch (fault) {
    return { ok: false, part: 'key', reason: whyNoKey(fault, passphrase) };
  }
  if (!certificate.checkPrivateKey(privateKey)) {
    return { ok: false, part: 'key', reason: 'does not belong to the certificate' };
  }
  return { ok: true, expiresAt: Date.parse(certificate.validTo) };
}

function whyNoKey(fault: unknown, passphrase: string | undefined): string {
  const { code } = fault as NodeJS.ErrnoException;
  if (code === 'ERR_MISSING_PASSPHRASE') return 'needs a passphrase';
  return passphrase === undefined
    ? 'holds no private key in PEM form'
    : 'holds no private key in PEM form that the passphrase opens';
}
