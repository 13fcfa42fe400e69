/**
 * OpenSSL's and Node's codes for a certificate that does not hold, and for ends that share no way to encrypt. EPROTO is
 * Node's; nodemailer's EPROTOCOL is an answer that it did not want, such as 421 in place of a greeting.
 */
const TRUST_CODES =
  /^(?:ERR_TLS|ERR_SSL|ERR_OSSL|CERT_|CRL_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH|INVALID_CA|EPROTO$)/;

/** True when two ends could not agree to trust each other, which no waiting heals. */
export function isTrustFault(fault: unknown): boolean {
  if (typeof fault !== 'object' || fault === null) return false;
  // nodemailer puts a code of its own over the socket's.
  const { code, originalCode } = fault as { code?: unknown; originalCode?: unknown };
  return [code, originalCode].some((name) => typeof name === 'string' && TRUST_CODES.test(name));
}
