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

export type DeliveryPlace = { folder: string } | { address: string };

export type Delivery = EmailDelivery | HttpDelivery | FileDelivery;

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
}

export interface SmtpServer {
  host: string;
  port: number;
  /** `tls` = from the first byte, `starttls` = required after connecting, `none` = plain (internal relay). */
  security: 'tls' | 'starttls' | 'none';
  user?: string;
  password?: string;
  timeoutMs: number;
}

export interface HttpDelivery {
  kind: 'http';
  method: 'POST' | 'PUT';
  url: string;
  headers: Record<string, string>;
  body: string;
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
 * the whole lead went out but no answer came back, `yes` = the other side answered.
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
      stage: 'connect' | 'tls' | 'auth' | 'envelope' | 'data' | 'done';
    }
  | {
      kind: 'http';
      sent: 'no' | 'maybe' | 'yes';
      status?: number;
      headers?: Record<string, string>;
      /** Cut at 64 KB. */
      body?: string;
      error?: string;
    }
  | { kind: 'file'; sent: 'no' | 'yes'; path?: string; error?: string };

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
