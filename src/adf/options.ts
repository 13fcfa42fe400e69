/** How one CRM wants its ADF. Every member has a default; schemas/adf-options.schema.json explains them to a dealer. */
export interface AdfOptions {
  /** `source` of the prospect's id: who gave the lead its number. */
  id_source?: string;
  prolog?: PrologForm;
  names?: NameForm;
  /** `offset`: dealer's local time with a numeric offset; `z`: UTC with a Z, which ADF does not list but some expect. */
  requestdate?: 'offset' | 'z';
  /** A test drive as the vehicle's interest, or as interest "buy" with a comment for CRMs that drop other interests. */
  test_drive?: 'interest' | 'comment';
  provider?: ProviderOptions;
  /** Codes by which the CRM knows the dealership. */
  vendor_ids?: VendorId[];
  /** What stands for a year, make or model that nobody stated. */
  placeholder?: { year?: string; make?: string; model?: string };
  /** `phone` is in ADF's tag table but not in its DTD: for CRMs known to read only that. */
  phone_type?: 'voice' | 'phone' | 'cellphone';
  phone_form?: PhoneForm;
  /** `vehicle_and_comment`: the trade-in also in words, for CRMs that read one vehicle only. */
  trade_in?: 'vehicle' | 'vehicle_and_comment';
  /** An address without a street: into the comments, or as an address element with an empty street. */
  street_missing?: 'comments' | 'empty_street';
  /** Most characters of one comments element; more is cut, with a mark that says so. Absent: no limit. */
  comments_limit?: number;
}

export type PrologForm = 'xml-utf8' | 'xml' | 'upper-case' | 'declaration';

/**
 * `split`: first and last name apart, a name that stands alone as the full one; `split_only`: never a full one;
 * `full`: one element with both.
 */
type NameForm = 'split' | 'split_only' | 'full';

/** Of North American numbers: `+12075550142`, `2075550142` or `207-555-0142`. Others stay as they are. */
export type PhoneForm = 'e164' | 'ten_digits' | 'dashed';

/** `direct`: the buyer's agent is the lead source. `network`: one stable brand is, and the agent is its service. */
interface ProviderOptions {
  form?: 'direct' | 'network';
  /** The network's name, exactly as the CRM's reports should show it. */
  name?: string;
  /** Text of `service` in the direct form. */
  service?: string;
  /** The network's address. */
  url?: string;
  /** Codes by which the CRM knows the source. */
  ids?: ForeignId[];
  /** Who is told when the CRM cannot read a lead (adf-1.0 section 1.3). */
  email?: string;
}

/** Somebody else's name for something. */
interface ForeignId {
  /** Whose name it is. */
  source: string;
  value: string;
}

interface VendorId extends ForeignId {
  /** Only for leads of this rooftop; absent: for all. */
  rooftop?: string;
}

/** AdfOptions with nothing left open. */
export interface AdfSettings {
  id_source: string;
  prolog: PrologForm;
  names: NameForm;
  requestdate: 'offset' | 'z';
  test_drive: 'interest' | 'comment';
  provider: ProviderOptions & { form: 'direct' | 'network'; ids: ForeignId[] };
  vendor_ids: VendorId[];
  placeholder: { year: string; make: string; model: string };
  phone_type: 'voice' | 'phone' | 'cellphone';
  phone_form: PhoneForm;
  trade_in: 'vehicle' | 'vehicle_and_comment';
  street_missing: 'comments' | 'empty_street';
  comments_limit: number;
}

export function settleOptions(options: AdfOptions): AdfSettings {
  return {
    id_source: options.id_source ?? 'dealer-bridge',
    prolog: options.prolog ?? 'xml-utf8',
    names: options.names ?? 'split',
    requestdate: options.requestdate ?? 'offset',
    test_drive: options.test_drive ?? 'interest',
    provider: {
      ...options.provider,
      form: options.provider?.form ?? 'direct',
      ids: options.provider?.ids ?? [],
    },
    vendor_ids: options.vendor_ids ?? [],
    placeholder: {
      year: options.placeholder?.year ?? '',
      make: options.placeholder?.make ?? '',
      model: options.placeholder?.model ?? '',
    },
    phone_type: options.phone_type ?? 'voice',
    phone_form: options.phone_form ?? 'e164',
    trade_in: options.trade_in ?? 'vehicle',
    street_missing: options.street_missing ?? 'comments',
    comments_limit: options.comments_limit ?? Number.POSITIVE_INFINITY,
  };
}
