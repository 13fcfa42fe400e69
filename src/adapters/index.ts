/** `dealer-bridge/adapter`: everything a vendor's adapter may import. */
export type {
  AttemptOutcome,
  CrmAdapter,
  Delivery,
  EmailDelivery,
  FileDelivery,
  HttpDelivery,
  MailAddress,
  SmtpServer,
  Verdict,
} from './crm-adapter.ts';
export type { Cells, FeedReader, RawRow, ReadContext, ReadLimits, RowNote } from './feed-reader.ts';
export type { LeadDocument } from '../model/lead.ts';
export type { Problem } from '../model/problem.ts';
export { normaliseColumn, normaliseColumnPath } from '../model/column.ts';
