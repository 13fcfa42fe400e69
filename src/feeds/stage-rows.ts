import type { RawRow } from '../adapters/feed-reader.ts';
import type { RecognisedVehicle, StagedRemoval, StagedRun, StagedVehicle } from '../model/intake.ts';
import type { Problem } from '../model/problem.ts';
import { looksLikeVin } from '../model/vin.ts';
import type { PriceChecks } from '../config/config.ts';
import type { DealersNamed } from './checking/dealers-named.ts';
import { holdSuddenPrices } from './checking/hold-sudden-prices.ts';
import { publishesPrice } from './checking/price-plausibility.ts';
import { refusedIfCut } from './cut-short.ts';
import { columnUse } from './profile/column-use.ts';
import { fileFault } from './file-fault.ts';
import type { PreparedFeed } from './prepare-feed.ts';
import type { Reading } from './reading/read.ts';
import { Recognition } from './recognition.ts';
import type { CheckedRow, MappedRow } from './records.ts';
import type { RunDraft } from './reporting/run-draft.ts';
import type { Tally } from './reporting/tally.ts';
import { visibleText } from './reporting/visible-text.ts';

type AcceptedRow = Extract<CheckedRow, { kind: 'accepted' }>;

/** Rows handed to the store at once: enough to be quick, few enough that memory does not grow with the file. */
const BATCH = 500;

/**
 * read → map → check → stage, row by row in one stream. Returns why the whole file is refused, if it is; the
 * caller then discards what has been staged.
 */
export async function stageRows(
  reading: Reading,
  feed: PreparedFeed,
  staged: StagedRun,
  draft: RunDraft,
  signal: AbortSignal | undefined,
  expectsLineBreak: boolean,
): Promise<Problem | undefined> {
  const batch = new Batch(staged, feed, draft.tally);
  const { dealers } = feed.checkSettings;
  for await (const row of reading.rows) {
    if (draft.tally.rows === 0) feed.mapper.spellColumns(reading.facts().columns);
    const recognised = recognisedVehicle(row);
    if (recognised === undefined) {
      const mapped = feed.mapper.mapRow(row);
      dealers.beginRow();
      let checked = feed.check(mapped);
      if (row.isUnterminated === true && expectsLineBreak) checked = refusedIfCut(checked);
      count(checked, draft.tally);
      batch.add(
        !dealers.isStranger && mayBeRecognised(checked, mapped) ? withRecordHash(checked, row) : checked,
      );
    } else {
      draft.tally.countRecognised();
      dealers.countRecognised();
      batch.addRecognised(recognised);
    }
    if (batch.size < BATCH) continue;
    await batch.flush();
    signal?.throwIfAborted();
  }
  await batch.flush();
  const refusal = tellFacts(reading, feed, draft);
  // What was said of single rows would only hide why the whole file is refused.
  if (refusal !== undefined) draft.tally.forgetRows();
  return refusal;
}

/** The vehicle on the lot that came from the very same record, if there is one. */
function recognisedVehicle({ row, line, mark, rejection }: RawRow): RecognisedVehicle | undefined {
  if (rejection !== undefined || !(mark instanceof Recognition) || mark.rowId === undefined) return undefined;
  return { row, line, rowId: mark.rowId, recordHash: mark.hash };
}

/**
 * Whether the same record will say nothing but the same vehicle: nothing about it is told in the report, and it
 * publishes a price, so that none from before is kept in mind for it.
 */
function mayBeRecognised(checked: CheckedRow, mapped: MappedRow): checked is AcceptedRow {
  if (checked.kind !== 'accepted' || checked.warnings.length > 0) return false;
  if (mapped.keepsWords === true || mapped.isOfItsTime === true) return false;
  return publishesPrice(checked.staged.vehicle);
}

function withRecordHash(checked: AcceptedRow, { mark }: RawRow): AcceptedRow {
  if (!(mark instanceof Recognition)) return checked;
  return { ...checked, staged: { ...checked.staged, recordHash: mark.hash } };
}

function count(checked: CheckedRow, tally: Tally): void {
  tally.rows += 1;
  if (checked.kind === 'rejected') {
    tally.reject(checked, checked.rejection);
    if (checked.dismissal !== undefined) tally.noteDismissal(checked.dismissal);
    return;
  }
  if (checked.kind === 'accepted') tally.accept(checked.staged.vehicle);
  else tally.askRemoval(checked);
  for (const warning of checked.warnings) tally.warn(checked, warning);
}

/** What is known of the file only after its last row. */
function tellFacts(reading: Reading, feed: PreparedFeed, draft: RunDraft): Problem | undefined {
  const { delimiter, columns, warnings, refusal } = reading.facts();
  if (delimiter !== undefined) draft.file.delimiter = delimiter;
  for (const warning of warnings) draft.tally.warnOfFile(warning);
  tellDealers(feed.checkSettings.dealers, draft);
  if (refusal !== undefined) return refusal;
  draft.file.columns = columns.map(visibleText);
  const { missing, unused } = columnUse(feed.profile, columns);
  draft.unknownColumns = unused;
  draft.wordsKept = [...feed.mapper.wordsKept].flatMap(([field, words]) =>
    [...words].map(([word, rows]) => ({ field, word: visibleText(word), rows })),
  );
  // A file without rows and columns is told as empty, not as one that lacks columns.
  if (columns.length === 0 || missing.length === 0) return undefined;
  const vin = columns.map((column) => column.trim().toUpperCase()).find(looksLikeVin);
  if (vin !== undefined) return fileFault('header_missing', `it holds ${vin}`);
  const { sent_beside: other } = feed.profile;
  return fileFault('missing_required_column', [missing.join(', '), other ?? []].flat().join('; '));
}

function tellDealers(named: DealersNamed, { tally, file }: RunDraft): void {
  const dealers = named.list();
  if (dealers[0] !== undefined) file.dealer = dealers[0].name;
  if (dealers.length <= 1) return;
  const detail = dealers.map(({ name, rows }) => `${name}: ${rows} ${rows === 1 ? 'row' : 'rows'}`);
  tally.warnOfFile({ code: 'several_dealers', detail: detail.join(', ') });
}

class Batch {
  readonly #staged: StagedRun;
  readonly #priceChecks: PriceChecks;
  readonly #isCompanion: boolean;
  readonly #tally: Tally;
  #vehicles: (StagedVehicle | RecognisedVehicle)[] = [];
  #removals: StagedRemoval[] = [];

  constructor(staged: StagedRun, feed: PreparedFeed, tally: Tally) {
    this.#staged = staged;
    this.#priceChecks = feed.checkSettings.priceChecks;
    this.#isCompanion = feed.supplements?.fields.includes('prices') === true;
    this.#tally = tally;
  }

  get size(): number {
    return this.#vehicles.length + this.#removals.length;
  }

  add(checked: CheckedRow): void {
    if (checked.kind === 'accepted') this.#vehicles.push(checked.staged);
    else if (checked.kind === 'removal') this.#removals.push(checked.removal);
    else if (checked.dismissal !== undefined) this.#removals.push(checked.dismissal);
  }

  addRecognised(vehicle: RecognisedVehicle): void {
    this.#vehicles.push(vehicle);
  }

  async flush(): Promise<void> {
    const [vehicles, removals] = [this.#vehicles, this.#removals];
    this.#vehicles = [];
    this.#removals = [];
    if (vehicles.length > 0) {
      const held = await holdSuddenPrices(vehicles, this.#priceChecks, this.#staged, this.#tally, {
        isCompanion: this.#isCompanion,
      });
      await this.#staged.stage(held);
    }
    if (removals.length > 0) await this.#staged.stageRemovals(removals);
  }
}
