import type { FeedMode, RooftopChange, RunRecord, RunStatus } from '../../model/intake.ts';

/**
 * What is told of one run: `.report.json` is this object as it stands, `.report.txt` its text (report-text.ts).
 * Lists are bounded, the counts beside them are not.
 */
export interface RunReport {
  runId: string;
  feedId: string;
  profile: string;
  mode: FeedMode;
  status: RunStatus;
  /** Why the whole file was held or refused. */
  problem?: FileProblem;
  file: FileFacts;
  /** RFC 3339 in UTC. */
  startedAt: string;
  finishedAt: string;
  durationMs: number;
  /** Data records of the file: accepted + rejected + removalsAsked, unless the file was refused half-way. */
  rows: number;
  accepted: number;
  rejected: number;
  removalsAsked: number;
  /** The same bytes as the last file that was taken in from this feed. */
  sameAsLast: boolean;
  /** Who overruled the shrink guard: a person, or the held file by coming again unchanged. */
  releasedBy?: 'person' | 'same file again';
  /** Of a companion feed: vehicles of the file that are on the lot, and those that none is known for (yet). */
  joined?: { onLot: number; notOnLot: number };
  rejectionCounts: Record<string, number>;
  rejections: ReportedRow[];
  /** Rows of a delta feed that ask to take a vehicle off the lot. */
  removals: ReportedRow[];
  warningCounts: Record<string, number>;
  warnings: ReportedRow[];
  /** Columns of the file that the profile does not use, as the file spells them. */
  unknownColumns: string[];
  /** Words that no vocabulary knows and that were published as they came, with the rows they stand in. */
  wordsKept: { field: string; word: string; rows: number }[];
  /** What changed on the lot, all rooftops together; nothing unless the file was taken in. */
  added: number;
  changed: number;
  unchanged: number;
  removed: number;
  /** The same for each rooftop; for a held run, what would change. */
  rooftops: RooftopChange[];
}

export type RunListener = (report: RunReport) => Promise<void>;

export interface FileFacts {
  name: string;
  /** Bytes as it came, packed or not. */
  size: number;
  /** RFC 3339 in UTC. */
  modifiedAt: string;
  /** SHA-256, hex. */
  fingerprint: string;
  container?: string;
  encoding?: string;
  delimiter?: string;
  /** As the file spells them; of XML the paths that occur. Absent when they could not be read. */
  columns?: string[];
  /** Of a feed of one rooftop: the dealer that most rows name. */
  dealer?: string;
  /** Of the last row; absent where the format itself tells its end, and where the file was not read so far. */
  endsWithLineBreak?: boolean;
  /** Hash of the content of the last row where no line break ends it; by it the next file is compared with this one. */
  unterminatedRow?: string;
  /** Codes such as `possibly_truncated`. */
  warnings: FileWarning[];
}

export interface FileWarning {
  code: string;
  message: string;
  remedy?: string;
}

export interface FileProblem {
  code: string;
  message: string;
  remedy?: string;
  line?: number;
  column?: number;
}

export interface ReportedRow {
  row: number;
  line: number;
  key: string;
  code: string;
  /** The file's column, as the file spells it. */
  field?: string;
  /** At most 200 characters, control characters made visible. */
  value?: string;
  message: string;
  remedy?: string;
}

export function toRunRecord(report: RunReport): RunRecord {
  return {
    runId: report.runId,
    feedId: report.feedId,
    fileName: report.file.name,
    fingerprint: report.file.fingerprint,
    // A clock that is wrong elsewhere must not make all later files look old. Both are written alike.
    fileAt: report.file.modifiedAt < report.startedAt ? report.file.modifiedAt : report.startedAt,
    ...(report.file.endsWithLineBreak === undefined
      ? {}
      : { endsWithLineBreak: report.file.endsWithLineBreak }),
    ...(report.file.unterminatedRow === undefined ? {} : { unterminatedRow: report.file.unterminatedRow }),
    ...(report.file.dealer === undefined ? {} : { dealer: report.file.dealer }),
    status: report.status,
    ...(report.problem === undefined ? {} : { code: report.problem.code, message: report.problem.message }),
    startedAt: report.startedAt,
    finishedAt: report.finishedAt,
    rows: report.rows,
    accepted: report.accepted,
    rejected: report.rejected,
    added: report.added,
    changed: report.changed,
    unchanged: report.unchanged,
    removed: report.removed,
  };
}
