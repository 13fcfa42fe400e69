import { Readable } from 'node:stream';
import type { NodemailerError } from 'nodemailer';
import SMTPConnection, { type SMTPConnectionCustomAuthContext } from 'nodemailer/lib/smtp-connection';
import type { AttemptOutcome, EmailDelivery, SmtpServer } from '../../adapters/crm-adapter.ts';
import { faultText } from '../fault-text.ts';
import { accessToken, forgetToken, type TokenResult } from './access-token.ts';
import { composeMail, isMailbox } from './compose-mail.ts';
import { isTrustFault } from './trust-fault.ts';

type MailOutcome = Extract<AttemptOutcome, { kind: 'email' }>;
type Stage = MailOutcome['stage'];

/**
 * Our name for a login by access token. Under the true one, XOAUTH2, nodemailer takes the first method that the server
 * offers instead, and the token would go out as a password.
 */
const BY_TOKEN = 'ACCESS-TOKEN';

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
  const { server } = delivery;
  const { token: request } = server;
  const mail = { delivery, message };
  if (request === undefined) return new MailAttempt(server, mail).run();
  const first = await accessToken(request);
  if (!first.ok) return withoutToken(first);
  const outcome = await new MailAttempt(server, mail, first.token).run();
  if (outcome.stage !== 'auth' || (outcome.code ?? 0) < 500) return outcome;
  forgetToken(request);
  if (!first.isKept) return outcome;
  const second = await accessToken(request);
  return second.ok ? new MailAttempt(server, mail, second.token).run() : withoutToken(second);
}

/** Logs in as for a mail and takes leave; nothing is sent. `done` says that a mail could be. */
export async function tryMailLogin(server: SmtpServer): Promise<MailOutcome> {
  if (server.token === undefined) return new MailAttempt(server, undefined).run();
  const asked = await accessToken(server.token);
  return asked.ok ? new MailAttempt(server, undefined, asked.token).run() : withoutToken(asked);
}

function withoutToken({ ok: _, needsPerson, ...fault }: Extract<TokenResult, { ok: false }>): MailOutcome {
  return { kind: 'email', sent: 'no', stage: 'token', ...fault, ...(needsPerson && { needsPerson }) };
}

/** One conversation. `stage` and `bodyGone` follow it, so that wherever it breaks off the place is known. */
class MailAttempt {
  #stage: Stage = 'connect';
  #bodyGone = false;
  #refusal: Error | undefined;
  readonly #server: SmtpServer;
  /** Absent where only the login is tried. */
  readonly #mail: { delivery: EmailDelivery; message: Buffer } | undefined;
  readonly #token: string | undefined;
  readonly #connection: SMTPConnection;

  constructor(
    server: SmtpServer,
    mail: { delivery: EmailDelivery; message: Buffer } | undefined,
    token?: string,
  ) {
    this.#server = server;
    this.#mail = mail;
    this.#token = token;
    this.#connection = new SMTPConnection(connectionOptions(server));
  }

  async run(): Promise<MailOutcome> {
    const { timeoutMs } = this.#server;
    let deadline: NodeJS.Timeout | undefined;
    const broken = new Promise<never>((_, reject) => {
      this.#connection.on('error', reject);
      // The server may hang up while nobody is waiting for an answer. With 421 it answers and hangs up at once: the
      // answer, which comes first, is to be heard first.
      this.#connection.on('end', () =>
        setImmediate(() => reject(new Error('the server closed the connection'))),
      );
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
    await this.#step((done) => this.#connection.connect(done));
    await this.#logIn();
    if (this.#mail === undefined) {
      this.#connection.quit();
      return { kind: 'email', sent: 'no', stage: 'done' };
    }
    const { delivery, message } = this.#mail;
    this.#stage = 'envelope';
    const envelope = {
      from: delivery.from.address,
      to: delivery.to.map(({ address }) => address),
      size: message.length,
    };
    const { response } = await new Promise<{ response: string }>((resolve, reject) => {
      this.#connection.send(envelope, this.#body(message), (fault, info) =>
        fault ? reject(fault) : resolve(info),
      );
    });
    this.#stage = 'done';
    return { kind: 'email', sent: 'yes', stage: 'done', ...answerOf(response), response };
  }

  async #logIn(): Promise<void> {
    const { user, password = '' } = this.#server;
    if (user === undefined) return;
    this.#stage = 'auth';
    const login =
      this.#token === undefined ? { user, pass: password } : { user, method: BY_TOKEN, pass: this.#token };
    await this.#step((done) => this.#connection.login(login, done));
  }

  #step(start: (done: (fault?: Error | null) => void) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      start((fault) => (fault ? reject(fault) : resolve()));
    });
  }

  /** Read only once the server has said "go ahead"; what follows its end is the closing dot. */
  #body(message: Buffer): Readable {
    const body = new Readable({
      read: () => {
        const refusal = refusedRecipients(this.#connection);
        if (refusal !== undefined) {
          this.#refusal = refusal;
          body.destroy(refusal);
          return;
        }
        this.#stage = 'data';
        body.push(message);
        body.push(null);
      },
    });
    body.on('end', () => (this.#bodyGone = true));
    return body;
  }

  #broken(fault: unknown): MailOutcome {
    const reason = this.#refusal ?? fault;
    const error: Partial<NodemailerError> & { message: string } =
      reason instanceof Error ? reason : { message: String(reason) };
    const { responseCode: code, response } = error;
    const isTls = this.#stage === 'connect' && isTlsFault(error);
    return {
      kind: 'email',
      sent: this.#sent(code),
      stage: isTls ? 'tls' : this.#stage,
      ...(code !== undefined && { code }),
      ...(response !== undefined && { response }),
      error: faultText(error),
      ...(isTls && isTrustFault(error) && { needsPerson: true }),
    };
  }

  /** A server that has not seen the closing dot has no message; one that then answered has judged it. */
  #sent(code: number | undefined): MailOutcome['sent'] {
    if (!this.#bodyGone) return 'no';
    return code === undefined ? 'maybe' : 'yes';
  }
}

function connectionOptions({ host, port, security, ca, timeoutMs }: SmtpServer) {
  return {
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    tls: { minVersion: 'TLSv1.2' as const, ...(ca !== undefined && { ca }) },
    customAuth: { [BY_TOKEN]: logInByToken },
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    socketCloseTimeout: 0,
    logger: false,
  };
}

/** Also a server that offers no STARTTLS, or that could not begin it this time. */
function isTlsFault(fault: Partial<NodemailerError>): boolean {
  return fault.code === 'ETLS' || fault.command === 'STARTTLS' || isTrustFault(fault);
}

/** As Microsoft and Google want it: user and token in one line, an empty answer to what they say when it fails. */
async function logInByToken(login: SMTPConnectionCustomAuthContext): Promise<void> {
  const { auth } = login;
  const line = `user=${auth.credentials.user}\u0001auth=Bearer ${auth.credentials.pass}\u0001\u0001`;
  let answer = await login.sendCommand(`AUTH XOAUTH2 ${Buffer.from(line).toString('base64')}`);
  if (answer.status === 334) answer = await login.sendCommand('');
  if (answer.status !== 235) throw new Error('the server refuses the access token');
}

/**
 * The first refusal, when the server took some recipients and not others. nodemailer goes on for those it took and
 * tells afterwards; but then the CRM may be the one that got nothing, and a repeat would double the mail for the
 * rest. So nobody gets the content until all are accepted.
 */
function refusedRecipients(connection: SMTPConnection): Error | undefined {
  const { _envelope: envelope } = connection as unknown as { _envelope?: { rejectedErrors?: Error[] } };
  return envelope?.rejectedErrors?.[0];
}

function answerOf(response: string): { code?: number } {
  const code = Number.parseInt(response, 10);
  return Number.isNaN(code) ? {} : { code };
}
