import { Readable } from 'node:stream';
import type { NodemailerError } from 'nodemailer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { AttemptOutcome, EmailDelivery, SmtpServer } from '../../adapters/crm-adapter.ts';
import { faultText } from '../fault-text.ts';
import { composeMail, isMailbox } from './compose-mail.ts';

type MailOutcome = Extract<AttemptOutcome, { kind: 'email' }>;
type Stage = MailOutcome['stage'];

/** Each step has `timeoutMs`; a server that stretches every one of them is left after this many. */
const STEPS = 6;

/**
 * Sends one message over a connection of its own. nodemailer's connection is driven directly rather than through
 * its transport: only so is it certain how far the message got, and with that whether the CRM may have it.
 */
export async function deliverMail(delivery: EmailDelivery): Promise<MailOutcome> {
  const addresses = [delivery.from, ...delivery.to].map(({ address }) => address);
  if (delivery.to.length === 0 || !addresses.every(isMailbox)) {
    return {
      kind: 'email',
      sent: 'no',
      stage: 'envelope',
      error: 'the settings hold no usable mail address',
    };
  }
  let message: Buffer;
  try {
    message = await composeMail(delivery);
  } catch (fault) {
    return { kind: 'email', sent: 'no', stage: 'envelope', error: `no message: ${faultText(fault)}` };
  }
  return new MailAttempt(delivery, message).run();
}

/** One conversation. `stage` and `bodyGone` follow it, so that wherever it breaks off the place is known. */
class MailAttempt {
  #stage: Stage = 'connect';
  #bodyGone = false;
  readonly #delivery: EmailDelivery;
  readonly #message: Buffer;
  readonly #connection: SMTPConnection;

  constructor(delivery: EmailDelivery, message: Buffer) {
    this.#delivery = delivery;
    this.#message = message;
    this.#connection = new SMTPConnection(connectionOptions(delivery.server));
  }

  async run(): Promise<MailOutcome> {
    const { timeoutMs } = this.#delivery.server;
    let deadline: NodeJS.Timeout | undefined;
    const broken = new Promise<never>((_, reject) => {
      this.#connection.on('error', reject);
      // The server may hang up while nobody is waiting for an answer.
      this.#connection.on('end', () => reject(new Error('the server closed the connection')));
      deadline = setTimeout(
        () => reject(new Error(`not done within ${STEPS * timeoutMs} ms`)),
        STEPS * timeoutMs,
      );
    });
    try {
      return await Promise.race([this.#converse(), broken]);
    } catch (fault) {
      return this.#broken(fault);
    } finally {
      clearTimeout(deadline);
      this.#connection.close();
    }
  }

  async #converse(): Promise<MailOutcome> {
    const { user, password } = this.#delivery.server;
    await this.#step((done) => this.#connection.connect(done));
    if (user !== undefined) {
      this.#stage = 'auth';
      await this.#step((done) => this.#connection.login({ user, pass: password ?? '' }, done));
    }
    this.#stage = 'envelope';
    const envelope = {
      from: this.#delivery.from.address,
      to: this.#delivery.to.map(({ address }) => address),
      size: this.#message.length,
    };
    const { response, rejected } = await new Promise<{ response: string; rejected: string[] }>(
      (resolve, reject) => {
        this.#connection.send(envelope, this.#body(), (fault, info) =>
          fault ? reject(fault) : resolve(info),
        );
      },
    );
    this.#stage = 'done';
    const refused =
      rejected.length === 0 ? {} : { error: `${rejected.length} of the recipients were refused` };
    return { kind: 'email', sent: 'yes', stage: 'done', ...answerOf(response), response, ...refused };
  }

  #step(start: (done: (fault?: Error | null) => void) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      start((fault) => (fault ? reject(fault) : resolve()));
    });
  }

  /** Read only once the server has said "go ahead"; what follows its end is the closing dot. */
  #body(): Readable {
    const body = new Readable({
      read: () => {
        this.#stage = 'data';
        body.push(this.#message);
        body.push(null);
      },
    });
    body.on('end', () => (this.#bodyGone = true));
    return body;
  }

  #broken(fault: unknown): MailOutcome {
    const error: Partial<NodemailerError> & { message: string } =
      fault instanceof Error ? fault : { message: String(fault) };
    const { responseCode: code, response } = error;
    return {
      kind: 'email',
      sent: this.#sent(code),
      stage: this.#stage === 'connect' && isTlsFault(error) ? 'tls' : this.#stage,
      ...(code !== undefined && { code }),
      ...(response !== undefined && { response }),
      error: error.message,
    };
  }

  /** A server that has not seen the closing dot has no message; one that then answered has judged it. */
  #sent(code: number | undefined): MailOutcome['sent'] {
    if (!this.#bodyGone) return 'no';
    return code === undefined ? 'maybe' : 'yes';
  }
}

function connectionOptions({ host, port, security, timeoutMs }: SmtpServer) {
  return {
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    tls: { minVersion: 'TLSv1.2' as const },
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    socketCloseTimeout: 0,
    logger: false,
  };
}

/** A refused certificate comes as a socket error that keeps OpenSSL's own code. */
function isTlsFault({ code, command, originalCode }: Partial<NodemailerError>): boolean {
  const certificateFault = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO)/;
  const original = typeof originalCode === 'string' ? originalCode : '';
  return code === 'ETLS' || command === 'STARTTLS' || certificateFault.test(original);
}

function answerOf(response: string): { code?: number } {
  const code = Number.parseInt(response, 10);
  return Number.isNaN(code) ? {} : { code };
}
