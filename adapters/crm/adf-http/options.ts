import type { AdfOptions, HttpSignature } from '../../../src/adapters/index.ts';

/** options.schema.json, defaults filled in, secrets expanded. */
export interface Options {
  url: string;
  allow_plain_http: boolean;
  method: 'POST' | 'PUT';
  headers: Record<string, string>;
  auth: AuthOptions;
  signature?: HttpSignature;
  tls?: { cert?: string; key?: string; passphrase?: string; ca?: string };
  proxy?: { url: string; user?: string; password?: string };
  content_type?: string;
  /** The whole body as it will be, with places in its texts. */
  json?: JsonObject;
  answer: AnswerOptions;
  timeout_seconds: number;
  adf: AdfOptions;
}

export type JsonObject = { [name: string]: JsonValue };
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

interface AnswerOptions {
  rules: AnswerRule[];
  otherwise: 'rejected' | 'retry';
  /** By status, where the usual meaning is not the CRM's. */
  status: Record<string, StatusMeaning>;
  reference?: AnswerPlace;
}

export type StatusMeaning = 'delivered' | 'rejected' | 'retry' | 'pause';

/** Which members a kind needs is seen to by `check`. */
export interface AuthOptions {
  kind: 'none' | 'basic' | 'bearer' | 'header' | 'query' | 'oauth2';
  user?: string;
  password?: string;
  token?: string;
  name?: string;
  token_url?: string;
  client_id?: string;
  client_secret?: string;
  scope?: string;
  audience?: string;
  client_auth: 'form' | 'basic';
}

/** Exactly one of the three is set; `check` sees to it. */
export interface AnswerPlace {
  json?: string;
  xml?: string;
  pattern?: string;
}

export interface AnswerRule extends AnswerPlace {
  equals?: string | number | boolean | null;
  /** In place of the general one. */
  otherwise?: 'rejected' | 'retry';
}
