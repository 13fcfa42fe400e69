import type { FeedConfig } from '../../config/config.ts';
import { formatInstant, type Clock } from '../../model/clock.ts';
import { newRunId } from '../../model/identifier.ts';
import type { FeedMode, RooftopChange, RunStatus } from '../../model/intake.ts';
import type { Problem } from '../../model/problem.ts';
import { fileFault } from '../file-fault.ts';
import type { PlainFile } from '../reading/plain-file.ts';
import type { FileFacts, FileProblem, ReportedRow, RunReport } from './report.ts';
import { Tally } from './tally.ts';
import { visibleText } from './visible-text.ts';

/** The report of a run while the run goes on; one of the three endings makes it final. */
export class RunDraft {
  readonly runId: string;
  mode: FeedMode;
  tally = new Tally(() => true);
  readonly file: FileFacts;
  unknownColumns: readonly string[] = [];
  rooftops: RooftopChange[] = [];
  wordsKept: RunReport['wordsKept'] = [];
  sameAsLast = false;
  endsWithLineBreak: boolean | undefined;
  unterminatedRow: string | undefined;
  releasedBy: RunReport['releasedBy'];
  joined: RunReport['joined'];
  readonly #feed: FeedConfig;
  readonly #clock: Clock;
  readonly #startedAt: number;

  constructor(fileName: string, feed: FeedConfig, clock: Clock, runId: string = newRunId()) {
    this.runId = runId;
    this.mode = feed.mode;
    this.#feed = feed;
    this.#clock = clock;
    this.#startedAt = clock.now();
    const modifiedAt = formatInstant(this.#startedAt);
    this.file = { name: fileName, size: 0, modifiedAt, fingerprint: '', warnings: [] };
  }

  describeFile({ size, modifiedMs }: PlainFile): void {
    this.file.size = size;
    this.file.modifiedAt = formatInstant(modifiedMs);
  }

  /** Taken in. Partial when a row was refused or rows may be missing from the file. */
  finished(isComplete: boolean): RunReport {
    return this.#report(isComplete && this.tally.rejected.total === 0 ? 'ok' : 'partial');
  }

  held(problem: Problem): RunReport {
    return this.#report('held', [problem]);
  }

  failed(problems: readonly Problem[]): RunReport {
    return this.#report('failed', problems);
  }

  #report(status: RunStatus, problems: readonly Problem[] = []): RunReport {
    const finishedAt = this.#clock.now();
    const { tally } = this;
    const applied = status === 'ok' || status === 'partial';
    const total = (count: 'added' | 'changed' | 'unchanged' | 'removed'): number =>
      applied ? this.rooftops.reduce((sum, change) => sum + change[count], 0) : 0;
    return {
      runId: this.runId,
      feedId: this.#feed.id,
      profile: this.#feed.profile,
      mode: this.mode,
      status,
      ...(problems.length === 0 ? {} : { problem: fileProblem(problems) }),
      file: {
        ...this.file,
        ...(this.endsWithLineBreak === undefined ? {} : { endsWithLineBreak: this.endsWithLineBreak }),
        ...(this.unterminatedRow === undefined ? {} : { unterminatedRow: this.unterminatedRow }),
        warnings: tally.fileWarnings,
      },
      startedAt: formatInstant(this.#startedAt),
      finishedAt: formatInstant(finishedAt),
      durationMs: finishedAt - this.#startedAt,
      rows: tally.rows,
      accepted: tally.accepted,
      rejected: tally.rejected.total,
      removalsAsked: tally.removals.total,
      added: total('added'),
      changed: total('changed'),
      unchanged: total('unchanged'),
      removed: total('removed'),
      sameAsLast: this.sameAsLast,
      ...(this.releasedBy === undefined ? {} : { releasedBy: this.releasedBy }),
      ...(this.joined === undefined ? {} : { joined: this.joined }),
      rejectionCounts: tally.rejected.counts,
      rejections: inFileOrder(tally.rejected.rows),
      removals: tally.removals.rows,
      warningCounts: tally.warned.counts,
      warnings: inFileOrder(tally.warned.rows),
      unknownColumns: this.unknownColumns.map(visibleText),
      wordsKept: this.wordsKept,
      rooftops: status === 'failed' ? [] : this.rooftops,
    };
  }
}

/** Duplicates are found last and belong to rows in between. */
function inFileOrder(rows: readonly ReportedRow[]): ReportedRow[] {
  return rows.toSorted((a, b) => a.row - b.row);
}

/** The first fault speaks for the run; the others, such as five faults of a profile, are told in its message. */
function fileProblem(problems: readonly Problem[]): FileProblem {
  const [first = fileFault('internal_error'), ...others] = problems;
  const { line, column } = first.where ?? {};
  return {
    code: first.code,
    message: [first, ...others].map(({ message }) => message).join('; '),
    ...(first.remedy === undefined ? {} : { remedy: first.remedy }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  };
}
