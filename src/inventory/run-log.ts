import type { Database, Statement } from 'better-sqlite3';
import { WAITS_IN_TURN, type RunFilter, type RunRecord, type RunStatus } from '../model/intake.ts';

const DEFAULT_LIMIT = 100;

interface RunRow extends Omit<
  RunRecord,
  'code' | 'message' | 'fileAt' | 'endsWithLineBreak' | 'unterminatedRow' | 'dealer'
> {
  status: RunStatus;
  code: string | null;
  message: string | null;
  fileAt: string | null;
  endsWithBreak: 0 | 1 | null;
  unterminatedRow: string | null;
  dealer: string | null;
}

interface ReadParameters {
  feedId: string | null;
  limit: number;
  takenIn: 0 | 1;
}

const COLUMNS = `run_id AS runId, feed_id AS feedId, file_name AS fileName, fingerprint, status, code, message,
  started_at AS startedAt, finished_at AS finishedAt, rows, accepted, rejected, added, changed, unchanged, removed,
  ends_with_break AS endsWithBreak, unterminated_row AS unterminatedRow, file_at AS fileAt, dealer`;

/** What became of each file taken in: one row a run, written again when a held run is released. */
export class RunLog {
  readonly #write: Statement;
  readonly #read: Record<'all' | 'ofFeed', Statement<[ReadParameters], RunRow>>;
  readonly #readHeld: Statement<[], RunRow>;

  constructor(database: Database) {
    this.#write = database.prepare(`
      INSERT OR REPLACE INTO run (run_id, feed_id, file_name, fingerprint, status, code, message, started_at,
        finished_at, rows, accepted, rejected, added, changed, unchanged, removed, ends_with_break,
        unterminated_row, file_at, dealer)
      VALUES (@runId, @feedId, @fileName, @fingerprint, @status, @code, @message, @startedAt,
        @finishedAt, @rows, @accepted, @rejected, @added, @changed, @unchanged, @removed, @endsWithBreak,
        @unterminatedRow, @fileAt, @dealer)`);
    // Two statements, so that the one for a feed goes by its index: it is asked every second.
    this.#read = {
      all: database.prepare(select()),
      ofFeed: database.prepare(select('feed_id = @feedId AND')),
    };
    const codes = [...WAITS_IN_TURN].map((code) => `'${code}'`).join();
    this.#readHeld = database.prepare(`
      SELECT ${COLUMNS} FROM run
      WHERE status = 'held' AND NOT EXISTS (
        SELECT 1 FROM run AS newer
        WHERE newer.feed_id = run.feed_id AND newer.status IN ('ok', 'partial')
          AND (run.code NOT IN (${codes}) OR newer.fingerprint = run.fingerprint)
          AND (newer.started_at > run.started_at OR newer.started_at = run.started_at AND newer.rowid > run.rowid))
      ORDER BY started_at, rowid`);
  }

  record(record: RunRecord): void {
    const { endsWithLineBreak, ...rest } = record;
    const endsWithBreak = endsWithLineBreak === undefined ? null : Number(endsWithLineBreak);
    this.#write.run({
      code: null,
      message: null,
      fileAt: null,
      unterminatedRow: null,
      dealer: null,
      ...rest,
      endsWithBreak,
    });
  }

  /** Newest first. */
  list({ feedId, limit, takenIn }: RunFilter): RunRecord[] {
    const statement = feedId === undefined ? this.#read.all : this.#read.ofFeed;
    const rows = statement.all({
      feedId: feedId ?? null,
      limit: limit ?? DEFAULT_LIMIT,
      takenIn: takenIn === true ? 1 : 0,
    });
    return rows.map(toRecord);
  }

  /** Those that still wait for a person, oldest first: nothing of their feed was taken in since that makes them idle. */
  listHeld(): RunRecord[] {
    return this.#readHeld.all().map(toRecord);
  }
}

function select(condition = ''): string {
  return `
    SELECT ${COLUMNS} FROM run
    WHERE ${condition} (@takenIn = 0 OR status IN ('ok', 'partial'))
    ORDER BY started_at DESC, rowid DESC
    LIMIT @limit`;
}

function toRecord({
  code,
  message,
  fileAt,
  endsWithBreak,
  unterminatedRow,
  dealer,
  ...record
}: RunRow): RunRecord {
  return {
    ...record,
    ...(code === null ? {} : { code }),
    ...(message === null ? {} : { message }),
    ...(fileAt === null ? {} : { fileAt }),
    ...(endsWithBreak === null ? {} : { endsWithLineBreak: endsWithBreak === 1 }),
    ...(unterminatedRow === null ? {} : { unterminatedRow }),
    ...(dealer === null ? {} : { dealer }),
  };
}
