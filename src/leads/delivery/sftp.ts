import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { posix } from 'node:path';
import ssh2, { type ConnectConfig, type SFTPWrapper, type Stats } from 'ssh2';
import type { AttemptOutcome, SftpDelivery, SftpServer } from '../../adapters/crm-adapter.ts';
import { faultText } from '../fault-text.ts';
import { isPlainName } from './file-name.ts';

type SftpOutcome = Extract<AttemptOutcome, { kind: 'sftp' }>;

/** Each step has `timeoutMs`; a server that stretches every one of them is left after this many. */
const STEPS = 6;

/**
 * Uploads one file: under a temporary name, synced to the server's disk where it knows how, then renamed, so that
 * whoever watches the folder never sees half a lead. A name that is already there gets the content anew.
 */
export async function deliverSftp(delivery: SftpDelivery): Promise<SftpOutcome> {
  if (!isPlainName(delivery.name)) {
    return {
      kind: 'sftp',
      sent: 'no',
      stage: 'upload',
      error: 'the adapter gave a file name that is not a plain name',
    };
  }
  const attempt = new SftpAttempt(delivery.server);
  return attempt.run(() => attempt.upload(delivery));
}

/** Logs in and looks whether the folder is there; nothing is written. */
export async function trySftpFolder(server: SftpServer, folder: string): Promise<SftpOutcome> {
  const attempt = new SftpAttempt(server);
  return attempt.run(() => attempt.find(folder));
}

/** One session. `stage` follows it, so that wherever it breaks off the place is known. */
class SftpAttempt {
  #stage: SftpOutcome['stage'] = 'connect';
  #shownKey = '';
  readonly #server: SftpServer;
  readonly #client = new ssh2.Client();

  constructor(server: SftpServer) {
    this.#server = server;
  }

  /** `work` gives the path that it worked on. */
  async run(work: () => Promise<string>): Promise<SftpOutcome> {
    const { timeoutMs } = this.#server;
    let deadline: NodeJS.Timeout | undefined;
    const broken = new Promise<never>((_, reject) => {
      // A connection may break in more than one way; the first counts.
      this.#client.on('error', reject);
      this.#client.on('close', () => reject(new Error('the connection broke off')));
      deadline = setTimeout(
        () => reject(new Error(`not done within ${STEPS * timeoutMs} ms`)),
        STEPS * timeoutMs,
      );
    });
    try {
      const path = await Promise.race([work(), broken]);
      return { kind: 'sftp', sent: 'yes', stage: 'done', path };
    } catch (fault) {
      return this.#broken(fault);
    } finally {
      clearTimeout(deadline);
      this.#client.destroy();
    }
  }

  async find(folder: string): Promise<string> {
    await this.#connect();
    this.#stage = 'upload';
    const sftp = await this.#step<SFTPWrapper>((done) => this.#client.sftp(done));
    if (!(await this.#isFolder(sftp, folder))) throw new Error(`${folder} is no folder`);
    return folder;
  }

  /** A drop box that tells nobody anything counts as one. */
  async #isFolder(sftp: SFTPWrapper, path: string): Promise<boolean> {
    try {
      const facts = await this.#step<Stats>((done) => sftp.stat(path, done));
      return facts.isDirectory();
    } catch (fault) {
      if (isNotOffered(fault)) return true;
      throw fault;
    }
  }

  async upload({ folder, name, content }: SftpDelivery): Promise<string> {
    await this.#connect();
    this.#stage = 'upload';
    const sftp = await this.#step<SFTPWrapper>((done) => this.#client.sftp(done));
    const path = posix.join(folder, name);
    // The same name on every attempt: what a broken one left half written is written over, not left behind.
    const hidden = posix.join(folder, `.${name}.tmp`);
    await this.#write(sftp, hidden, Buffer.from(content, 'utf8'));
    this.#stage = 'rename';
    await this.#rename(sftp, hidden, path);
    return path;
  }

  async #connect(): Promise<void> {
    const ready = once(this.#client, 'ready');
    ready.catch(() => undefined);
    this.#client.connect(this.#settings(this.#server));
    await ready;
  }

  #settings({
    host,
    port,
    user,
    password,
    privateKey,
    passphrase,
    hostKey,
    timeoutMs,
  }: SftpServer): ConnectConfig {
    return {
      host,
      port,
      username: user,
      readyTimeout: timeoutMs,
      hostVerifier: (key: Buffer) => {
        const hash = createHash('sha256').update(key).digest('base64').replace(/=+$/, '');
        this.#shownKey = `SHA256:${hash}`;
        return hostKey === undefined || hostKey === this.#shownKey;
      },
      ...(password !== undefined && { password }),
      ...(privateKey !== undefined && { privateKey }),
      ...(passphrase !== undefined && { passphrase }),
    };
  }

  async #write(sftp: SFTPWrapper, path: string, content: Buffer): Promise<void> {
    const handle = await this.#step<Buffer>((done) => sftp.open(path, 'w', done));
    if (content.length > 0) {
      await this.#step((done) => sftp.write(handle, content, 0, content.length, 0, (fault) => done(fault)));
    }
    await this.#sync(sftp, handle);
    await this.#step((done) => sftp.close(handle, (fault) => done(fault)));
  }

  /** fsync@openssh.com; ssh2 throws at once when the server does not offer it. */
  async #sync(sftp: SFTPWrapper, handle: Buffer): Promise<void> {
    try {
      await this.#step((done) => sftp.ext_openssh_fsync(handle, (fault) => done(fault)));
    } catch (fault) {
      if (!isNotOffered(fault)) throw fault;
    }
  }

  /** Over a file of that name where the server can; else such a file goes first. */
  async #rename(sftp: SFTPWrapper, from: string, to: string): Promise<void> {
    try {
      await this.#step((done) => sftp.ext_openssh_rename(from, to, (fault) => done(fault)));
    } catch (fault) {
      if (!isNotOffered(fault)) throw fault;
      await this.#step((done) => sftp.unlink(to, () => done()));
      await this.#step((done) => sftp.rename(from, to, (refusal) => done(refusal)));
    }
  }

  #step<T = void>(call: (done: (fault?: Error | null, value?: T) => void) => void): Promise<T> {
    const { timeoutMs } = this.#server;
    return new Promise((resolve, reject) => {
      const quiet = setTimeout(
        () => reject(new Error(`the server did not answer within ${timeoutMs} ms`)),
        timeoutMs,
      );
      const end = (settle: () => void): void => {
        clearTimeout(quiet);
        settle();
      };
      try {
        call((fault, value) => end(() => (fault ? reject(fault) : resolve(value as T))));
      } catch (fault) {
        end(() => reject(fault instanceof Error ? fault : new Error(String(fault))));
      }
    });
  }

  #broken(fault: unknown): SftpOutcome {
    const { hostKey } = this.#server;
    if (
      this.#stage === 'connect' &&
      hostKey !== undefined &&
      this.#shownKey !== '' &&
      hostKey !== this.#shownKey
    ) {
      const error = `the server shows the key ${this.#shownKey}, not the one in the settings`;
      return { kind: 'sftp', sent: 'no', stage: 'connect', error, needsPerson: true };
    }
    if (isLoginFault(fault)) {
      return { kind: 'sftp', sent: 'no', stage: 'auth', error: faultText(fault), needsPerson: true };
    }
    // A server that answers the rename with a refusal has not done it.
    const isAnswer = typeof (fault as { code?: unknown }).code === 'number';
    const sent = this.#stage === 'rename' && !isAnswer ? 'maybe' : 'no';
    return { kind: 'sftp', sent, stage: this.#stage, error: faultText(fault) };
  }
}

function isLoginFault(fault: unknown): boolean {
  const { level, message = '' } = fault as { level?: unknown; message?: string };
  return level === 'client-authentication' || /cannot parse privateKey|passphrase/i.test(message);
}

/** ssh2's own words before it asks, or SSH_FX_OP_UNSUPPORTED from a server that offers what it has not. */
function isNotOffered(fault: unknown): boolean {
  const { code, message = '' } = fault as { code?: unknown; message?: string };
  return code === 8 || /does not support/i.test(message);
}
