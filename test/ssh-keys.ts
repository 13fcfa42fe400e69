import ssh2 from 'ssh2';

/** What stands in the key file where it is locked. */
interface KeyLock {
  passphrase: string;
  cipher: 'aes256-ctr';
}

/**
 * A fresh key pair in OpenSSH's own form, for servers and clients on loopback. On a curve of NIST's:
 * about one in 300 of the ed25519 keys that ssh2 makes is one that it cannot read again.
 */
export function sshKeys(lock?: KeyLock) {
  return ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256, ...(lock && { ...lock, rounds: 1 }) });
}
