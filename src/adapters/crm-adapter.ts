import type { LeadDocument } from '../model/lead.ts';
import type { Problem } from '../model/problem.ts';

/**
 * What a CRM adapter implements. Three pure functions: no clock, no network, no file, no randomness. The core
 * owns all I/O, retries, timeouts and logs, so that an adapter can be tested with plain values.
 */
export interface CrmAdapter<Options = unknown> {
  /** Faults in the settings that the options schema cannot express. Called at start and by `check`. */
  check(options: Options): Problem[];
  /** The lead in the CRM's form. The same document and options always give the same delivery, byte for byte. */
  build(lead: LeadDocument, options: Options): Delivery;
  /** What the answer to one attempt means. */
  classify(outcome: AttemptOutcome, options: Options): Verdict;
  /** Where leads go, told at start: a folder (absolute or relative to the data folder) or an address. No secrets. */
  place?(options: Options): DeliveryPlace;
}

/** `unencrypted`: leads cross a network in the clear on the way there; `/health` names such destinations. */
export type DeliveryPlace = { folder: string } | { address: string; unencrypted?: boolean };

export type Delivery = EmailDelivery | HttpDelivery | FileDelivery | SftpDelivery;

export interface MailAddress {
  name: string;
  address: string;
}

export interface EmailDelivery {
  kind: 'email';
  server: SmtpServer;
  from: MailAddress;
  to: MailAddress[];
  replyTo?: MailAddress;
  subject: string;
  /** The whole text/plain body. */
  text?: string;
  attachments: { filename: string; contentType: string; content: string }[];
  /** Without angle brackets; the same on every attempt. */
  messageId: string;
  /** RFC 3339; the same on every attempt. */
  date: string;
  /** Signs the mail for the sender's domain (RFC 6376). `privateKey` is RSA, as PEM. */
  dkim?: { domain: string; selector: string; privateKey: string };
}

export interface SmtpServer {
  host: string;
  port: number;
  /** `tls` = from the first byte, `starttls` = required after connecting, `none` = plain (internal relay). */
  security: 'tls' | 'starttls' | 'none';
  user?: string;
  password?: string;
  /** In place of the password: XOAUTH2 with a token that the core fetches. */
  token?: TokenRequest;
  /** PEM of a private certificate authority that vouches for the server. */
  ca?: string;
  timeoutMs: number;
}

/**
 * How to get an OAuth 2.0 access token. The core asks for it before the attempt, keeps it until shortly before it
 * ends, and asks once more when it is refused.
 */
export interface TokenRequest {
  /** The token endpoint. */
  url: string;
  /** What is posted to it as a form, such as `grant_type`. */
  form: Record<string, string>;
  /** Sent along as Basic login, for endpoints that want the client's secret so. */
  basic?: { user: string; password: string };
  /** Put into the form as `assertion`: a JSON Web Token for this moment, signed RS256 (RFC 7523). */
  assertion?: { claims: Record<string, string>; privateKey: string; keyId?: string };
  timeoutMs: number;
}

export interface HttpDelivery {
  kind: 'http';
  method: 'POST' | 'PUT';
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Sent as `Authorization: Bearer`. */
  token?: TokenRequest;
  /** HMAC-SHA256, made for this moment when it covers a time. */
  signature?: HttpSignature;
  /** PEM texts: what we show the CRM (mutual TLS), and a private authority that vouches for it. */
  tls?: { cert?: string; key?: string; passphrase?: string; ca?: string };
  /** An HTTP proxy that tunnels (CONNECT), with its own login. */
  proxy?: { url: string; user?: string; password?: string };
  timeoutMs: number;
}

export interface HttpSignature {
  header: string;
  secret: string;
  encoding: 'hex' | 'base64';
  /** Text before it. */
  prefix: string;
  /**
   * Left out: the signature covers the body's bytes. Else it covers `<time><separator><body>`, and the header
   * carries the time: seconds, milliseconds since 1970, or RFC 3339.
   */
  timestamp?: {
    header: string;
    format: 'seconds' | 'milliseconds' | 'rfc3339';
    separator: string;
  };
}

/** A file for another machine: uploaded under a temporary name, renamed when it is whole. */
export interface SftpDelivery {
  kind: 'sftp';
  server: SftpServer;
  /** On the server; `.` is where one stands after signing in. */
  folder: string;
  name: string;
  content: string;
}

export interface SftpServer {
  host: string;
  port: number;
  user: string;
  password?: string;
  /** As PEM or in OpenSSH's form. */
  privateKey?: string;
  passphrase?: string;
  /** `SHA256:` and base64 without padding; left out: any key is accepted. */
  hostKey?: string;
  timeoutMs: number;
}

export interface FileDelivery {
  kind: 'file';
  /** Absolute, or relative to the data folder. */
  folder: string;
  name: string;
  content: string;
}

/**
 * What happened, without judgement. `sent` tells how far it got: `no` = the CRM cannot have the lead, `maybe` =
 * the whole lead went out but no answer came back, `yes` = the other side answered. `needsPerson` = it stopped at
 * something that waiting does not heal and that concerns every lead: a refused token, a certificate or host key
 * that nobody vouches for, a proxy that wants another login.
 */
export type AttemptOutcome =
  | {
      kind: 'email';
      sent: 'no' | 'maybe' | 'yes';
      /** SMTP reply code of the last answer, such as 250, 451, 535. */
      code?: number;
      response?: string;
      error?: string;
      /** Where it stopped. */
      stage: 'token' | 'connect' | 'tls' | 'auth' | 'envelope' | 'data' | 'done';
      needsPerson?: boolean;
      /** The wait that a token server asked for; it is kept to whatever the adapter says. */
      retryAfterMs?: number;
    }
  | {
      kind: 'http';
      sent: 'no' | 'maybe' | 'yes';
      status?: number;
      headers?: Record<string, string>;
      /** Decoded, without a byte order mark; cut at 64 KB. */
      body?: string;
      /** With a status: `body` is not the whole text, or could not be decoded. */
      error?: string;
      /** Where it stopped before the request went out. */
      stage?: 'token' | 'proxy' | 'connect' | 'tls';
      needsPerson?: boolean;
      /** The wait that a token server asked for; it is kept to whatever the adapter says. */
      retryAfterMs?: number;
    }
  | { kind: 'file'; sent: 'no' | 'yes'; path?: string; error?: string }
  | {
      kind: 'sftp';
      /** `maybe`: the file was whole and the rename was asked for, but nobody saw its result. */
      sent: 'no' | 'maybe' | 'yes';
      stage: 'connect' | 'auth' | 'upload' | 'rename' | 'done';
      path?: string;
      error?: string;
      needsPerson?: boolean;
    };

/**
 * `delivered` the CRM has it; `rejected` the CRM refused this lead for good; `retry` certainly not there yet;
 * `uncertain` it may be there. `pauseDestination` says that the fault is the destination's (bad password): its
 * leads wait, and one of them at a time finds out whether it works again.
 */
export interface Verdict {
  state: 'delivered' | 'rejected' | 'retry' | 'uncertain';
  /** For a person, without customer data. */
  reason: string;
  /** The CRM's own id of the lead. */
  reference?: string;
  pauseDestination?: boolean;
  /** Not before this many milliseconds from now, if the CRM said so. */
  retryAfterMs?: number;
}
