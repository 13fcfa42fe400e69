import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { Problem } from '../../../src/adapters/index.ts';
import { fault } from './fault.ts';
import type { Options } from './options.ts';

const FROM_FILE = 'Write ${file:/path} with the PEM file.';

/** Certificates and keys that can be read and fit each other. The texts are secrets and are not told. */
export function checkTls({ tls }: Options): Problem[] {
  if (tls === undefined) return [];
  const { cert, key, passphrase, ca } = tls;
  const problems: Problem[] = [];
  if ((cert === undefined) !== (key === undefined)) {
    const missing = cert === undefined ? 'cert' : 'key';
    problems.push(fault(`tls.${missing}`, `cert and key belong together, and ${missing} is missing`));
  }
  const certificate = cert === undefined ? undefined : read(() => new X509Certificate(cert));
  if (cert !== undefined && certificate === undefined) {
    problems.push(fault('tls.cert', 'is no certificate in PEM', FROM_FILE));
  }
  const privateKey =
    key === undefined
      ? undefined
      : read(() => createPrivateKey({ key, ...(passphrase === undefined ? {} : { passphrase }) }));
  if (key !== undefined && privateKey === undefined) {
    problems.push(
      fault('tls.key', 'is no private key in PEM, or the passphrase does not open it', FROM_FILE),
    );
  }
  if (certificate !== undefined && privateKey !== undefined && !certificate.checkPrivateKey(privateKey)) {
    problems.push(fault('tls.key', 'does not belong to the certificate'));
  }
  if (ca !== undefined && read(() => new X509Certificate(ca)) === undefined) {
    problems.push(fault('tls.ca', 'is no certificate in PEM', FROM_FILE));
  }
  return problems;
}

function read<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}
