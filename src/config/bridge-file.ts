import type { FeedMode } from '../model/intake.ts';
import type { AppointmentType, ContactChannel } from '../model/lead.ts';
import type { RooftopProfile } from '../model/rooftop.ts';
import type { SkillId } from '../model/skill.ts';
import type {
  AccessConfig,
  AlertsConfig,
  AppointmentRule,
  BackupConfig,
  Config,
  FeedConfig,
  FeedLimits,
  GuardConfig,
  PriceBasis,
  RateLimitsConfig,
  SearchConfig,
  ServerConfig,
} from './config.ts';

/** bridge.yaml as it is written, after its schema has filled the defaults in (schemas/config.schema.json). */
export interface BridgeFile {
  watch_settings: boolean;
  dealer: {
    id: string;
    name: string;
    welcome_message?: string;
    rooftops: WrittenRooftop[];
  };
  server: ServerConfig;
  access: AccessConfig;
  rate_limits: RateLimitsConfig;
  a2a: Config['a2a'];
  mcp: Config['mcp'];
  skills: Record<SkillId, boolean>;
  search: SearchConfig;
  feeds: WrittenFeed[];
  feed_limits: FeedLimits;
  leads: WrittenLeads;
  alerts: AlertsConfig;
  backup: Omit<BackupConfig, 'folder'> & { folder?: string };
  log: Config['log'];
}

export interface WrittenRooftop extends RooftopProfile {
  id: string;
  feed_ids: string[];
}

export interface WrittenFeed extends Pick<
  FeedConfig,
  | 'price_checks'
  | 'supplements'
  | 'rescan_seconds'
  | 'max_age_hours'
  | 'expect_every_hours'
  | 'when_overdue'
  | 'grace_files'
> {
  id: string;
  profile: string;
  folder?: string;
  files: string;
  mode: FeedMode;
  /** May be left out for a companion feed only. */
  rooftop?: string | { from: 'column'; otherwise?: string };
  price_basis?: PriceBasis;
  sample?: string;
  settle_ms: number;
  done_marker?: string;
  guard: GuardConfig;
  source?: WrittenSource;
  limits?: Partial<FeedLimits>;
}

/** Which keys go with which kind is up to src/config/check-source.ts. */
export interface WrittenSource {
  kind: 'http' | 'sftp' | 'ftp';
  url?: string;
  host?: string;
  port?: number;
  folder?: string;
  take?: 'newest' | 'all';
  user?: string;
  password?: string;
  token?: string;
  private_key?: string;
  passphrase?: string;
  host_key?: string;
  accept_any_host_key: boolean;
  tls?: 'explicit' | 'implicit' | 'none';
  ca?: string;
  allow_plain: boolean;
  every_minutes: number;
}

interface WrittenLeads {
  default_rooftop?: string;
  duplicate_window_hours: number;
  retention_days: number;
  follow_up_channels: ContactChannel[];
  appointments: { holidays: string[]; rules: WrittenAppointmentRule[] };
  destinations: WrittenDestination[];
}

export interface WrittenAppointmentRule extends Omit<AppointmentRule, 'rooftops' | 'types'> {
  rooftops?: string[];
  types?: AppointmentType[];
}

export interface WrittenDestination {
  id: string;
  adapter?: string;
  preset?: string;
  options: Record<string, unknown>;
  rooftops?: string[];
  retry: { first_seconds: number; max_minutes: number; give_up_hours: number };
  on_uncertain: 'retry' | 'stop';
  max_at_once: number;
}

/**
 * What is left of a value once its faulty parts are taken out: every part that is there has the right type, any
 * part may be missing. It lets the cross checks go on, so that one look shows every fault.
 */
export type Sound<T> = T extends readonly (infer Item)[]
  ? (Sound<Item> | undefined)[]
  : T extends object
    ? { [Key in keyof T]?: Sound<T[Key]> | undefined }
    : T;
