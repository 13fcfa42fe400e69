import type { CrmAdapter } from '../adapters/crm-adapter.ts';
import type { AgentToken } from '../model/agent-token.ts';
import type { FeedMode } from '../model/intake.ts';
import type { AppointmentType, ContactChannel } from '../model/lead.ts';
import type { Rooftop } from '../model/rooftop.ts';
import type { SkillId } from '../model/skill.ts';
import type { SupplementRule } from '../model/supplement.ts';

/**
 * bridge.yaml after loading: schema-checked, secrets expanded, every default filled in, every path absolute.
 * The other rooms import this file for its types only.
 */
export interface Config {
  /** Absolute path of the file it came from. */
  file: string;
  /** Whether changed settings are taken up while the bridge runs. */
  watch_settings: boolean;
  /** Absolute; holds everything that changes. */
  data_folder: string;
  dealer: DealerConfig;
  server: ServerConfig;
  access: AccessConfig;
  rate_limits: RateLimitsConfig;
  a2a: { require_version_header: boolean; require_extension: boolean };
  mcp: McpConfig;
  skills: Record<SkillId, boolean>;
  search: SearchConfig;
  feeds: FeedConfig[];
  leads: LeadsConfig;
  alerts: AlertsConfig;
  backup: BackupConfig;
  log: LogConfig;
}

export interface DealerConfig {
  id: string;
  name: string;
  welcome_message?: string;
  rooftops: Rooftop[];
}

export interface ServerConfig {
  host: string;
  port: number;
  admin_host: string;
  admin_port: number;
  /** Origin under which buyers reach the bridge, no slash at the end; default `http://<host>:<port>`. */
  public_url?: string;
  body_limit_bytes: number;
  /** Paths absolute. Set: the public server speaks https. */
  tls?: TlsConfig;
  /** Addresses and networks (CIDR) of the dealer's own reverse proxies. */
  trusted_proxies: string[];
  /** The one header in which they say for whom they call. */
  proxy_header: 'x-forwarded-for' | 'forwarded';
  limits: ServerLimits;
}

export interface TlsConfig {
  cert: string;
  key: string;
  passphrase?: string;
}

/** What one caller may take of the public server. */
export interface ServerLimits {
  max_header_bytes: number;
  max_headers: number;
  max_connections: number;
  max_connections_per_client: number;
  max_requests_per_connection: number;
  /** Calls of one connection that wait for their answer at a time. */
  max_pipelined_requests: number;
  header_timeout_seconds: number;
  request_timeout_seconds: number;
  keep_alive_seconds: number;
  idle_timeout_seconds: number;
}

export interface AccessConfig {
  /** Who needs a token: nobody, everybody, or the callers of these skills. */
  require_token: 'none' | 'all' | SkillId[];
  /** Absolute; read again when it changes. */
  tokens_file?: string;
  tokens: AgentToken[];
}

export interface RateLimitsConfig {
  enabled: boolean;
  /** Whether calls from this machine itself are limited, too. */
  limit_local_calls: boolean;
  /** Callers remembered at a time. */
  max_clients: number;
  searches: CallBudget;
  leads: CallBudget;
}

export interface CallBudget {
  /** Of one caller, in the long run. */
  per_minute: number;
  /** Of one caller, at once. */
  burst: number;
  /** Of all callers together; a tenth of it at once. */
  all_clients_per_minute: number;
}

export interface McpConfig {
  enabled: boolean;
  /** Host names, with or without a port, beside the bridge's own. */
  allowed_hosts: string[];
  /** Origins of web pages; `*` = every one. */
  allowed_origins: string[];
}

export interface SearchConfig {
  default_limit: number;
  max_limit: number;
  /** Send the facets along with every search reply. */
  include_facets: boolean;
  /** Values a term facet lists at most. */
  max_facet_values: number;
}

/**
 * What the feed's price column holds: `base` = the amount before fees, published as list_price only; `all_in` =
 * the dealer attests that every mandatory charge is inside; `base_plus_fees` = the bridge adds the rooftop's
 * complete fee schedule and publishes price and fees.
 */
export type PriceBasis = 'base' | 'all_in' | 'base_plus_fees';

export interface FeedConfig {
  id: string;
  /** Name of a profile (adapters/feeds/profiles) or absolute path of one. */
  profile: string;
  /** Absolute; `<data>/inbox/<id>` unless configured. */
  folder: string;
  /** File names taken in, as a glob: `*`, `*_INV.csv`. */
  files: string;
  mode: FeedMode;
  /**
   * `fixed`: every row belongs to that rooftop. `column`: the row's dealer_id says, else `otherwise`; in a companion
   * feed a row that names none belongs to the vehicle wherever that stands.
   */
  rooftop: { kind: 'fixed'; id: string } | { kind: 'column'; otherwise?: string };
  /** Overrides the profile's. */
  price_basis?: PriceBasis;
  /** Absolute path of a file taken in once, when the feed has never brought anything (the demo). */
  sample?: string;
  /** Size and mtime must stay the same this long before a file is read. */
  settle_ms: number;
  /** The folder is looked into at least so often, with or without file events; 60 unless configured. */
  rescan_seconds?: number;
  /** When set, a file is read only once `<file><marker>` exists, such as `.done`. */
  done_marker?: string;
  guard: GuardConfig;
  price_checks?: PriceChecks;
  /** A file that was changed last before so many hours is refused. */
  max_age_hours?: number;
  /** A feed that brings no good file for so many hours is overdue. */
  expect_every_hours?: number;
  /** What becomes of the vehicles of an overdue feed; `warn` unless configured. */
  when_overdue?: 'warn' | 'hide';
  /** Where the files are fetched from, if nobody drops them into the folder. */
  source?: SourceConfig;
  /** So many full files in a row may lack a vehicle before it leaves the lot with the next; 0 unless configured. */
  grace_files?: number;
  /** Set for a companion feed: it adds to the vehicles of other feeds and brings none. */
  supplements?: SupplementRule;
  /** Bounds on its files; the general defaults unless configured. */
  limits?: FeedLimits;
}

/** Bounds on hostile or broken files; a file or a value beyond one is refused with a reason that names it. */
export interface FeedLimits {
  max_file_mb: number;
  /** What may come out of an archive. */
  max_unpacked_mb: number;
  /** Unpacked size divided by packed size. */
  max_archive_ratio: number;
  max_archive_entries: number;
  max_rows: number;
  max_columns: number;
  max_cell_characters: number;
  max_row_characters: number;
  max_xml_depth: number;
  /** Of one vehicle; further ones are left out. */
  max_photos: number;
}

export type SourceConfig = HttpSourceConfig | SftpSourceConfig | FtpSourceConfig;

interface Scheduled {
  /** From the begin of one look to the begin of the next. */
  every_ms: number;
}

export interface HttpSourceConfig extends Scheduled {
  kind: 'http';
  url: string;
  auth?: { kind: 'basic'; user: string; password: string } | { kind: 'bearer'; token: string };
  /** PEM of a private certificate authority. */
  ca?: string;
}

/** What all servers with folders have in common. */
interface RemoteFolderConfig extends Scheduled {
  host: string;
  port: number;
  /** Where one stands after signing in, when left out. */
  folder?: string;
  user: string;
  /** `newest`: the newest matching file only. `all`: every new or changed one, oldest first. */
  take: 'newest' | 'all';
}

export interface SftpSourceConfig extends RemoteFolderConfig {
  kind: 'sftp';
  password?: string;
  private_key?: string;
  passphrase?: string;
  /** `SHA256:` and base64 without padding; left out: any key is accepted. */
  host_key?: string;
}

export interface FtpSourceConfig extends RemoteFolderConfig {
  kind: 'ftp';
  password: string;
  tls: 'explicit' | 'implicit' | 'none';
  ca?: string;
}

/** A full run that would remove more than the larger of the first two from a rooftop is held. */
export interface GuardConfig {
  max_removed_percent: number;
  max_removed_vehicles: number;
  /** A full run that would leave a rooftop with fewer vehicles of the feed than before, and than this, is held. */
  floor?: number;
  /** Whether the same bytes, sent again, release the run that was held for them; true unless configured. */
  confirm_by_repeat?: boolean;
  /**
   * Whether vehicles that a file is the first to lack stay for one more file when they are exactly the last ones of
   * the file before, as if it had been cut off there; true unless configured.
   */
  doubt_missing_end?: boolean;
}

/** Prices out of these bounds are not published; percents, a bound left out is not looked at. */
export interface PriceChecks {
  /** More than so much above the MSRP. */
  max_over_msrp_percent?: number;
  /** More than so much below the MSRP, of new vehicles. */
  max_under_msrp_percent?: number;
  /** More than so much away, up or down, from the price that was published last. */
  max_change_percent?: number;
}

export interface LeadsConfig {
  /** Rooftop of a lead without a vehicle of ours. */
  default_rooftop: string;
  duplicate_window_hours: number;
  /** Days between the last delivery of a lead and the erasing of its customer. */
  retention_days: number;
  /** Channels that the dealer's staff use to answer; the consent must allow one that the customer can be reached on. */
  follow_up_channels: ContactChannel[];
  appointments: AppointmentsConfig;
  destinations: DestinationConfig[];
}

export interface AppointmentsConfig {
  /** `YYYY-MM-DD`: no rooftop takes visits on these days. */
  holidays: string[];
  /** The first one that is about the rooftop and the kind of visit counts; without one the staff decide. */
  rules: AppointmentRule[];
}

export interface AppointmentRule {
  /** Ids of rooftops. */
  rooftops: string[];
  types: AppointmentType[];
  /** `off`: no such visits here. `request`: noted for the staff. `auto`: confirmed when the calendar says yes. */
  mode: 'off' | 'request' | 'auto';
  slot_minutes: number;
  /** Visits of one kind that may take the same slot. */
  capacity: number;
  /** From now to the earliest start. */
  lead_time_minutes: number;
  /** From now to the latest start. */
  days_ahead: number;
  /** When there is no time at all: `request` leaves it to the staff, `refuse` turns the lead away. */
  when_full: 'request' | 'refuse';
  /** `YYYY-MM-DD`, beside those for all. */
  holidays: string[];
}

export interface DestinationConfig {
  id: string;
  /** Adapter's folder name, such as `adf-email`. */
  adapter: string;
  /** Checked against the adapter's options schema and its own `check`, defaults filled in, preset merged. */
  options: unknown;
  /** Ids of the rooftops whose leads go there. */
  rooftops: string[];
  /** Values in the options that stood as references to secrets in the settings: never to be said. */
  secrets?: readonly string[];
  /** The adapter itself, loaded. */
  crm: CrmAdapter;
  retry: RetryConfig;
  /** What to do when an attempt may have reached the CRM without an answer. */
  on_uncertain: 'retry' | 'stop';
  /** Attempts under way at the same time. */
  max_at_once: number;
}

/** Waits double from `first_ms` to `max_ms`, with jitter, until `give_up_ms` after receipt. */
export interface RetryConfig {
  first_ms: number;
  max_ms: number;
  give_up_ms: number;
}

/** How much is logged, and how much of it is kept. */
export interface LogConfig {
  level: 'debug' | 'info' | 'warn' | 'error';
  /** A mebibyte each. */
  max_file_mb: number;
  max_files: number;
  max_total_mb: number;
  keep_days: number;
}

/** From when on something is wrong. */
export interface AlertThresholds {
  undelivered_after_minutes: number;
  paused_after_minutes: number;
  /** Of a rooftop's vehicles since a file last confirmed one of them. */
  lot_max_age_hours: number;
  /** Of a source that cannot be fetched from. */
  source_failing_minutes: number;
  /** Room on the disk of the data folder, in mebibytes. */
  disk_free_mb: number;
  certificate_days: number;
}

/** What the bridge does by night so that a broken disk costs no leads. Paths absolute. */
export interface BackupConfig {
  enabled: boolean;
  /** Time of day of this machine's clock, such as `02:30`. */
  at: string;
  /** `<data>/backups` unless configured. */
  folder: string;
  /** A second place that each good backup is copied to. */
  copy_to?: string;
  keep_daily: number;
  keep_weekly: number;
  /** Whether inventory.db goes along. */
  inventory: 'when_small' | 'always' | 'never';
  /** Set: backups are encrypted with the key in this file. */
  key_file?: string;
}

/** Who is told when something is wrong; nobody without mail and webhook. */
export interface AlertsConfig extends AlertThresholds {
  mail?: AlertMailConfig;
  webhook?: AlertWebhookConfig;
}

export interface AlertMailConfig {
  host: string;
  port: number;
  security: 'starttls' | 'tls' | 'none';
  user?: string;
  password?: string;
  from: string;
  to: string[];
}

export interface AlertWebhookConfig {
  url: string;
  token?: string;
}
