import { columnsOf, type SaleSpec } from '../../profile/feed-profile.ts';
import { compileDateFormat } from '../fields/date.ts';
import { remembering } from '../fields/remembering.ts';
import { windowBetween, windowOf, type SaleWindow } from '../fields/sale-window.ts';
import { saysNothing } from '../fields/text.ts';
import { compileSource, type CellSource } from './cell-source.ts';
import type { RowDraft } from './row-draft.ts';

/** What decides about dates and does not stand in the row. */
export interface RunTime {
  /** Ms since 1970. */
  now: number;
  /** IANA zone of the rooftop that a row of this dealer belongs to. */
  zoneOf: (dealer: string | undefined) => string | undefined;
}

/** Whether the sale price of a row counts now, and whether that is only now so. */
export interface SaleStanding {
  counts: boolean;
  hasDates: boolean;
}

/** Stands in no date. */
const SEPARATOR = '\0';

const ALWAYS: SaleStanding = { counts: true, hasDates: false };

/**
 * A sale price counts within its dates, and always where the row gives none. Dates that cannot be read, or of which one half
 * is missing, leave it to doubt: then the regular price counts, and the row is told.
 */
export function compileSaleDates(
  spec: SaleSpec,
  { now, zoneOf }: RunTime,
): (draft: RowDraft, dealer: string | undefined) => SaleStanding {
  const [during, from, until] = [spec.during, spec.from, spec.until].map((columns) =>
    columns === undefined ? undefined : compileSource(columns),
  );
  const price = compileSource(columnsOf(spec));
  const format = spec.format === undefined ? undefined : compileDateFormat(spec.format);
  const sources = [during, from, until].filter((source) => source !== undefined);
  if (sources.length === 0) return () => ALWAYS;
  /** Most rows have the dates of others, and zones take their time. */
  const readWindow = remembering(windowOfTexts);

  return (draft, dealer) => {
    const filled = sources.find((source) => textOf(source, draft) !== undefined);
    if (filled === undefined || textOf(price, draft) === undefined) return ALWAYS;
    const texts = [zoneOf(dealer), ...[during, from, until].map((source) => textOf(source, draft))];
    const window = readWindow(texts.map((text) => text ?? '').join(SEPARATOR));
    if (window === undefined) draft.warn('sale_dates_invalid', filled, textOf(filled, draft));
    const counts = window !== undefined && window.from <= now && now < window.until;
    return { counts, hasDates: true };
  };

  function windowOfTexts(joined: string): SaleWindow | undefined {
    const [timeZone, whole, begin, end] = joined.split(SEPARATOR).map((text) => text || undefined);
    const calendar = { format, timeZone };
    if (whole !== undefined) return windowOf(whole, calendar);
    const isHalf = (from !== undefined && begin === undefined) || (until !== undefined && end === undefined);
    return isHalf ? undefined : windowBetween(begin, end, calendar);
  }
}

function textOf(source: CellSource | undefined, { cells }: RowDraft): string | undefined {
  const text = source?.first(cells)?.trim();
  return text === undefined || saysNothing(text) ? undefined : text;
}
