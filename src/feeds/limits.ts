import type { ReadLimits } from '../adapters/feed-reader.ts';
import type { FeedConfig, FeedLimits } from '../config/config.ts';

/** Bounds on a feed file before anything of it is read as text. */
export interface UnpackLimits {
  readonly maxFileBytes: number;
  /** What may come out of an archive, all its files together. */
  readonly maxUnpackedBytes: number;
  readonly maxArchiveEntries: number;
  /** Unpacked size divided by packed size; looked at only where an archive unpacks to more than a megabyte. */
  readonly maxArchiveRatio: number;
}

const MEBIBYTE = 1024 * 1024;

/**
 * What feed_limits of the settings says unless it is written there; schemas/config.schema.json has the same numbers.
 * A group of 100 rooftops with 60 columns and long comments stays far below each of these.
 */
export const DEFAULT_FEED_LIMITS: FeedLimits = {
  max_file_mb: 1024,
  max_unpacked_mb: 2048,
  max_archive_ratio: 200,
  max_archive_entries: 1000,
  max_rows: 1_000_000,
  max_columns: 1000,
  max_cell_characters: 1_000_000,
  max_row_characters: 4_000_000,
  max_xml_depth: 32,
  max_photos: 250,
};

/** The bounds that hold for the files of a feed. */
export interface FileLimits {
  readonly unpack: UnpackLimits;
  readonly read: ReadLimits;
  /** Of one vehicle. */
  readonly maxPhotos: number;
}

export function limitsOf({ limits = DEFAULT_FEED_LIMITS }: Pick<FeedConfig, 'limits'>): FileLimits {
  return {
    unpack: {
      maxFileBytes: limits.max_file_mb * MEBIBYTE,
      maxUnpackedBytes: limits.max_unpacked_mb * MEBIBYTE,
      maxArchiveEntries: limits.max_archive_entries,
      maxArchiveRatio: limits.max_archive_ratio,
    },
    read: {
      maxRows: limits.max_rows,
      maxColumns: limits.max_columns,
      maxCellCharacters: limits.max_cell_characters,
      maxRowCharacters: limits.max_row_characters,
      maxDepth: limits.max_xml_depth,
    },
    maxPhotos: limits.max_photos,
  };
}

const DEFAULT_LIMITS = limitsOf({});

export const DEFAULT_UNPACK_LIMITS: UnpackLimits = DEFAULT_LIMITS.unpack;

/** Bounds on what a server may send and on how long it may take. */
export interface SourceLimits {
  readonly maxFileBytes: number;
  readonly maxListedFiles: number;
  /** Files fetched in one look; the rest follows at the next. */
  readonly maxFilesALook: number;
  /** To connect and sign in. */
  readonly connectMs: number;
  /** Without a single byte. */
  readonly quietMs: number;
  /** The whole look, every file of it. */
  readonly lookMs: number;
}

export const DEFAULT_SOURCE_LIMITS: SourceLimits = {
  maxFileBytes: DEFAULT_UNPACK_LIMITS.maxFileBytes,
  maxListedFiles: 10_000,
  maxFilesALook: 100,
  connectMs: 30_000,
  quietMs: 60_000,
  lookMs: 3_600_000,
};

export const DEFAULT_READ_LIMITS: ReadLimits = DEFAULT_LIMITS.read;
