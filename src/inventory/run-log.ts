import type { Database, Statement } from 'better-sqlite3';
import type { RunFilter, RunRecord, RunStatus } from '../model/intake.ts';

const DEFAULT_LIMIT = 100;

interface RunRow extends Omit<RunRecord, 'code' | 'message'> {
  status: RunStatus;
  code: string | null;
  message: string | null;
}

/** What became of each file taken in: one row a run, written again when a held run is released. */
export class RunLog {
  readonly #write: Statement;
  readonly #read: Statement<[{ feedId: string | null; limit: number; takenIn: 0 | 1 }], RunRow>;

  constructor(database: Database) {
    this.#write = database.prepare(`
      INSERT OR REPLACE INTO run (run_id, feed_id, file_name, fingerprint, status, code, message, started_at,
        finished_at, rows, accepted, rejected, added, changed, unchanged, removed)
      VALUES (@runId, @feedId, @fileName, @fingerprint, @status, @code, @message, @startedAt,
        @finishedAt, @rows, @accepted, @rejected, @added, @changed, @unchanged, @removed)`);
    this.#read = database.prepare(`
      SELECT run_id AS runId, feed_id AS feedId, file_name AS fileName, fingerprint, status, code, message,
        started_at AS startedAt, finished_at AS finishedAt, rows, accepted, rejected, added, changed, unchanged,
        removed
      FROM run
      WHERE (@feedId IS NULL OR feed_id = @feedId) AND (@takenIn = 0 OR status IN ('ok', 'partial'))
      ORDER BY started_at DESC, rowid DESC
      LIMIT @limit`);
  }

  record(record: RunRecord): void {
    this.#write.run({ code: null, message: null, ...record });
  }

  /** Newest first. */
  list({ feedId, limit, takenIn }: RunFilter): RunRecord[] {
    const rows = this.#read.all({
      feedId: feedId ?? null,
      limit: limit ?? DEFAULT_LIMIT,
      takenIn: takenIn === true ? 1 : 0,
    });
    return rows.map(({ code, message, ...record }) => ({
      ...record,
      ...(code === null ? {} : { code }),
      ...(message === null ? {} : { message }),
    }));
  }
}
