import { compileSource, type CellSource } from './cell-source.ts';
import { isYearFromVin, type ProfileMap } from '../../profile/feed-profile.ts';
import { yearOfVin } from '../../../model/vin.ts';
import { codeText, looksLikeDate, looksScientific, standsForNone } from '../fields/text.ts';
import { cleanVin, isSoundVin, judgeVin } from '../fields/vin-text.ts';
import { parseYear } from '../fields/year.ts';
import type { Rejection } from '../../records.ts';
import type { RowDraft } from './row-draft.ts';

const LONGEST_ID = 60;

/** What names a row: read before anything else, also for rows that the reader has refused. */
export interface RowIdentity {
  /** As the file has it, and cleaned up. Both are empty when there is none. */
  rawVin: string;
  vin: string;
  stock: string | undefined;
  vehicleId: string | undefined;
  /** VIN if sound, else stock, else empty: what a person looks the row up by. */
  key: string;
}

interface IdentityMapper {
  read(draft: RowDraft): RowIdentity;
  /** Sets year, vin, stock and vehicle_id, or tells why the row is no vehicle that can be told apart. */
  apply(draft: RowDraft, identity: RowIdentity): Rejection | undefined;
}

/** `today`: `YYYY-MM-DD`. */
export function compileIdentity(map: ProfileMap, today: string): IdentityMapper {
  const vinSource = optionalSource(map.vin);
  const stockSource = optionalSource(map.stock);
  const endOfVin =
    typeof map.stock === 'object' && !Array.isArray(map.stock) ? map.stock.from_vin : undefined;
  const idSource = optionalSource(map.vehicle_id);
  const yearSource = optionalSource(map.year);
  /** The model years of next year are sold already. */
  const lastYear = Number(today.slice(0, 4)) + 1;
  const yearFromVin = isYearFromVin(map) ? (vin: string) => yearOfVin(vin, lastYear) : () => undefined;

  function read(draft: RowDraft): RowIdentity {
    const rawVin = vinSource?.first(draft.cells) ?? '';
    const vin = cleanVin(rawVin);
    const stock = readStock(draft, stockSource) ?? stockOfVin(draft, vin);
    const vehicleId = readCode(draft, idSource);
    return { rawVin, vin, stock, vehicleId, key: isSoundVin(vin) ? vin : (stock ?? '') };
  }

  /** A number that is there and cannot be read is another one. */
  function stockOfVin({ cells }: RowDraft, vin: string): string | undefined {
    if (endOfVin === undefined || !isSoundVin(vin)) return undefined;
    const written = codeText(stockSource?.first(cells) ?? '');
    return written === undefined || standsForNone(written) ? vin.slice(-endOfVin) : undefined;
  }

  function apply(draft: RowDraft, { rawVin, vin, stock, vehicleId }: RowIdentity): Rejection | undefined {
    const { vehicle } = draft;
    const rawYear = yearSource?.first(draft.cells);
    const year = rawYear === undefined ? yearFromVin(vin) : parseYear(rawYear, vin);
    if (year !== undefined) vehicle.year = year;
    if (stock !== undefined) vehicle.stock = stock;
    if (vehicleId !== undefined) vehicle.vehicle_id = vehicleId;
    const hasOtherIdentity = stock !== undefined || vehicleId !== undefined;

    const verdict = judgeVin(rawVin, vin, { vehicleType: vehicle.vehicle_type, year });
    switch (verdict.kind) {
      case 'vin':
        vehicle.vin = verdict.vin;
        if (!verdict.checkDigitFits) draft.warn('vin_check_digit', vinSource, verdict.vin);
        return undefined;
      case 'invalid':
        return draft.rejection('vin_invalid', vinSource, verdict.text, verdict.detail);
      case 'placeholder':
        return draft.rejection('vin_placeholder', vinSource, verdict.text);
      case 'serial':
        if (!hasOtherIdentity) return draft.rejection('no_identity', vinSource, verdict.serial);
        draft.setAttribute('serial_number', verdict.serial);
        draft.warn('vin_not_iso_moved', vinSource, verdict.serial);
        return undefined;
      case 'none':
        if (!hasOtherIdentity) return draft.rejection('no_identity', vinSource ?? stockSource ?? idSource);
        if (vinSource !== undefined) draft.warn('vin_missing', vinSource, rawVin.trim());
        return undefined;
    }
  }
  return { read, apply };
}

function readStock(draft: RowDraft, source: CellSource | undefined): string | undefined {
  const stock = readCode(draft, source);
  if (stock === undefined) return undefined;
  if (looksScientific(stock)) {
    draft.warn('stock_scientific', source, stock);
    return undefined;
  }
  if (looksLikeDate(stock)) draft.warn('value_looks_like_date', source, stock);
  return stock;
}

function readCode(draft: RowDraft, source: CellSource | undefined): string | undefined {
  const raw = source?.first(draft.cells);
  const code = raw === undefined ? undefined : codeText(raw);
  // Cars on order that all have the number TBD are not the same car.
  if (code === undefined || standsForNone(code)) return undefined;
  if (code.length <= LONGEST_ID) return code;
  draft.warn('value_too_long', source, code, `more than ${LONGEST_ID} characters`);
  return undefined;
}

function optionalSource(source: Parameters<typeof compileSource>[0] | undefined): CellSource | undefined {
  return source === undefined ? undefined : compileSource(source);
}
