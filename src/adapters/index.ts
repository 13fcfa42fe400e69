/** `dealer-bridge/adapter`: everything a vendor's adapter may import. */
export type {
  AttemptOutcome,
  CrmAdapter,
  Delivery,
  DeliveryPlace,
  EmailDelivery,
  FileDelivery,
  HttpDelivery,
  HttpSignature,
  MailAddress,
  SftpDelivery,
  SftpServer,
  SmtpServer,
  TokenRequest,
  Verdict,
} from './crm-adapter.ts';
export type {
  Cells,
  FeedReader,
  FileNote,
  RawRow,
  ReadContext,
  ReaderFacts,
  ReadLimits,
  RecordMark,
  RowNote,
} from './feed-reader.ts';
export type { LeadDocument } from '../model/lead.ts';
export type { Problem } from '../model/problem.ts';
export { normaliseColumn, normaliseColumnPath } from '../model/column.ts';
export { looksLikeVin } from '../model/vin.ts';
export { renderAdf } from '../adf/document.ts';
export { leadKind } from '../adf/lead-kind.ts';
export type { LeadKind } from '../adf/lead-kind.ts';
export type { AdfOptions } from '../adf/options.ts';
export { calendarFile } from './calendar-file.ts';
export { FILE_NAME_PLACES, leadFileName } from './lead-file-name.ts';
export { isMailAddress } from './mail-address.ts';
export { fillTemplate, unknownPlaces } from './text-template.ts';
export { retryAfterOf } from '../model/retry-after.ts';
