import { join, resolve } from 'node:path';
import { APPOINTMENT_TYPES } from '../model/lead.ts';
import type { Rooftop } from '../model/rooftop.ts';
import type { BridgeFile, WrittenDestination, WrittenFeed, WrittenRooftop } from './bridge-file.ts';
import type { PreparedDestination } from './check-leads.ts';
import type {
  AccessConfig,
  BackupConfig,
  Config,
  DestinationConfig,
  FeedConfig,
  FeedLimits,
  LeadsConfig,
  ServerConfig,
} from './config.ts';
import { buildSource } from './build-source.ts';
import { isProfilePath, profilePath } from './profiles.ts';
import { feedFolder, type Folders } from './review.ts';

/** The settings as the program uses them, from a file without faults: paths absolute, waits in milliseconds. */
export function buildConfig(
  path: string,
  file: BridgeFile,
  folders: Folders,
  destinations: ReadonlyMap<number, PreparedDestination>,
): Config {
  const { rooftops, ...dealer } = file.dealer;
  return {
    file: path,
    watch_settings: file.watch_settings,
    data_folder: folders.data,
    dealer: { ...dealer, rooftops: rooftops.map(buildRooftop) },
    server: buildServer(file.server, folders),
    access: buildAccess(file.access, folders),
    rate_limits: file.rate_limits,
    a2a: file.a2a,
    mcp: file.mcp,
    skills: file.skills,
    search: file.search,
    feeds: file.feeds.map((feed) => buildFeed(feed, file.feed_limits, folders)),
    leads: buildLeads(file, destinations),
    alerts: file.alerts,
    backup: buildBackup(file.backup, folders),
    log: file.log,
  };
}

function buildBackup(backup: BridgeFile['backup'], { config, data }: Folders): BackupConfig {
  const { folder, copy_to: copyTo, key_file: keyFile, ...rest } = backup;
  return {
    ...rest,
    folder: folder === undefined ? join(data, 'backups') : resolve(config, folder),
    ...(copyTo === undefined ? {} : { copy_to: resolve(config, copyTo) }),
    ...(keyFile === undefined ? {} : { key_file: resolve(config, keyFile) }),
  };
}

function buildRooftop({ id, feed_ids, ...profile }: WrittenRooftop): Rooftop {
  return { id, feed_ids, profile };
}

function buildServer(server: ServerConfig, { config }: Folders): ServerConfig {
  const { tls, public_url: publicUrl } = server;
  return {
    ...server,
    ...(publicUrl === undefined ? {} : { public_url: new URL(publicUrl).origin }),
    ...(tls === undefined
      ? {}
      : { tls: { ...tls, cert: resolve(config, tls.cert), key: resolve(config, tls.key) } }),
  };
}

function buildAccess(access: AccessConfig, { config }: Folders): AccessConfig {
  const { tokens_file: file } = access;
  return file === undefined ? access : { ...access, tokens_file: resolve(config, file) };
}

function buildFeed(feed: WrittenFeed, generalLimits: FeedLimits, folders: Folders): FeedConfig {
  const { rooftop, sample, profile, source, limits, ...rest } = feed;
  return {
    ...rest,
    profile: isProfilePath(profile) ? profilePath(profile, folders) : profile,
    folder: feedFolder(feed, folders),
    rooftop: buildFeedRooftop(rooftop),
    limits: { ...generalLimits, ...limits },
    ...(sample === undefined ? {} : { sample: resolve(folders.config, sample) }),
    ...(source === undefined ? {} : { source: buildSource(source, feed.mode) }),
  };
}

function buildFeedRooftop(rooftop: WrittenFeed['rooftop']): FeedConfig['rooftop'] {
  if (typeof rooftop === 'string') return { kind: 'fixed', id: rooftop };
  const { otherwise } = rooftop ?? {};
  return otherwise === undefined ? { kind: 'column' } : { kind: 'column', otherwise };
}

function buildLeads(file: BridgeFile, prepared: ReadonlyMap<number, PreparedDestination>): LeadsConfig {
  const { leads } = file;
  const rooftopIds = file.dealer.rooftops.map((rooftop) => rooftop.id);
  return {
    default_rooftop: leads.default_rooftop ?? rooftopIds[0] ?? '',
    duplicate_window_hours: leads.duplicate_window_hours,
    retention_days: leads.retention_days,
    follow_up_channels: leads.follow_up_channels,
    appointments: {
      holidays: leads.appointments.holidays,
      rules: leads.appointments.rules.map((rule) => ({
        ...rule,
        rooftops: rule.rooftops ?? rooftopIds,
        types: rule.types ?? [...APPOINTMENT_TYPES],
      })),
    },
    destinations: leads.destinations.flatMap((destination, index) => {
      const parts = prepared.get(index);
      return parts === undefined ? [] : [buildDestination(destination, parts, rooftopIds)];
    }),
  };
}

function buildDestination(
  destination: WrittenDestination,
  { adapter, options, secrets }: PreparedDestination,
  allRooftops: readonly string[],
): DestinationConfig {
  const { first_seconds, max_minutes, give_up_hours } = destination.retry;
  return {
    id: destination.id,
    adapter: adapter.name,
    crm: adapter.crm,
    options,
    ...(secrets.length > 0 && { secrets }),
    rooftops: destination.rooftops ?? [...allRooftops],
    retry: {
      first_ms: Math.round(first_seconds * 1000),
      max_ms: Math.round(max_minutes * 60_000),
      give_up_ms: Math.round(give_up_hours * 3_600_000),
    },
    on_uncertain: destination.on_uncertain,
    max_at_once: destination.max_at_once,
  };
}
