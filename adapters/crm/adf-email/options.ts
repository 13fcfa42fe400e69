import type { AdfOptions, MailAddress } from '../../../src/adapters/index.ts';

/** options.schema.json, defaults filled in, password expanded. */
export interface Options {
  smtp: {
    host: string;
    port: number;
    security: 'starttls' | 'tls' | 'none';
    user?: string;
    password?: string;
    timeout_seconds: number;
  };
  from: MailAddress;
  to: MailAddress[];
  placement: 'body' | 'attachment' | 'both';
  attachment: { name: string; content_type: string };
  subject: string;
  reply_to_customer: boolean;
  adf: AdfOptions;
}
