import type { AdfOptions, MailAddress } from '../../../src/adapters/index.ts';
import type { Recipients } from './recipients.ts';

/** options.schema.json, defaults filled in, password expanded. */
export interface Options {
  smtp: {
    host: string;
    port: number;
    security: 'starttls' | 'tls' | 'none';
    user?: string;
    password?: string;
    oauth2?: OAuthOptions;
    ca?: string;
    timeout_seconds: number;
  };
  from: MailAddress;
  to: Recipients;
  placement: 'body' | 'attachment' | 'both';
  attachment: { name: string; content_type: string };
  subject: string;
  calendar: boolean;
  reply_to_customer: boolean;
  dkim?: { domain: string; selector: string; key: string };
  adf: AdfOptions;
}

/** Which members a provider needs is seen to by `check`. */
export interface OAuthOptions {
  provider: 'microsoft' | 'google';
  tenant?: string;
  client_id?: string;
  client_secret?: string;
  refresh_token?: string;
  /** The JSON text of a Google service account's key file. */
  service_account?: string;
  token_url?: string;
  scope?: string;
}
