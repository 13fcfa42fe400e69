import type { CrmAdapter } from '../adapters/crm-adapter.ts';
import type { FeedMode } from '../model/intake.ts';
import type { ContactChannel } from '../model/lead.ts';
import type { Rooftop } from '../model/rooftop.ts';
import type { SkillId } from '../model/skill.ts';

/**
 * bridge.yaml after loading: schema-checked, secrets expanded, every default filled in, every path absolute.
 * The other rooms import this file for its types only.
 */
export interface Config {
  /** Absolute path of the file it came from. */
  file: string;
  /** Absolute; holds everything that changes. */
  data_folder: string;
  dealer: DealerConfig;
  server: ServerConfig;
  a2a: { require_version_header: boolean; require_extension: boolean };
  skills: Record<SkillId, boolean>;
  search: SearchConfig;
  feeds: FeedConfig[];
  leads: LeadsConfig;
  log: { level: 'debug' | 'info' | 'warn' | 'error' };
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
  /** `fixed`: every row belongs to that rooftop. `column`: the row's dealer_id says, else `otherwise`. */
  rooftop: { kind: 'fixed'; id: string } | { kind: 'column'; otherwise?: string };
  /** Overrides the profile's. */
  price_basis?: PriceBasis;
  /** Absolute path of a file taken in once, when the feed has never brought anything (the demo). */
  sample?: string;
  /** Size and mtime must stay the same this long before a file is read. */
  settle_ms: number;
  /** When set, a file is read only once `<file><marker>` exists, such as `.done`. */
  done_marker?: string;
  guard: GuardConfig;
}

/** A full run that would remove more than the larger of the two from a rooftop is held. */
export interface GuardConfig {
  max_removed_percent: number;
  max_removed_vehicles: number;
}

export interface LeadsConfig {
  /** Rooftop of a lead without a vehicle of ours. */
  default_rooftop: string;
  duplicate_window_hours: number;
  /** Channels that the dealer's staff use to answer; the consent must allow one that the customer can be reached on. */
  follow_up_channels: ContactChannel[];
  destinations: DestinationConfig[];
}

export interface DestinationConfig {
  id: string;
  /** Adapter's folder name, such as `adf-email`. */
  adapter: string;
  /** Checked against the adapter's options schema and its own `check`, defaults filled in, preset merged. */
  options: unknown;
  /** Ids of the rooftops whose leads go there. */
  rooftops: string[];
  /** The adapter itself, loaded. */
  crm: CrmAdapter;
  retry: RetryConfig;
  /** What to do when an attempt may have reached the CRM without an answer. */
  on_uncertain: 'retry' | 'stop';
}

/** Waits double from `first_ms` to `max_ms`, with jitter, until `give_up_ms` after receipt. */
export interface RetryConfig {
  first_ms: number;
  max_ms: number;
  give_up_ms: number;
}
