import type { ReadLimits } from '../adapters/feed-reader.ts';

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

/** A group of 100 rooftops with 60 columns and long comments stays far below each of these. */
export const DEFAULT_UNPACK_LIMITS: UnpackLimits = {
  maxFileBytes: 1024 * MEBIBYTE,
  maxUnpackedBytes: 2048 * MEBIBYTE,
  maxArchiveEntries: 1000,
  maxArchiveRatio: 200,
};

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

export const DEFAULT_READ_LIMITS: ReadLimits = {
  maxRows: 1_000_000,
  maxColumns: 1000,
  maxCellCharacters: 1_000_000,
  maxDepth: 32,
};
