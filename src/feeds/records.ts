import type { Readable } from 'node:stream';
import type { FileNote, RowNote } from '../adapters/feed-reader.ts';
import type { StagedRemoval, StagedVehicle } from '../model/intake.ts';
import type { Vehicle } from '../model/vehicle.ts';

/** The records that pass from step to step on the way in of a file, each named by the boundary it crosses. */

/** After `unpack`: plain bytes, whatever the container was. May be opened more than once. */
export interface UnpackedFile {
  /** Name of the file inside the container, or of the file itself. */
  name: string;
  container: 'none' | 'gzip' | 'zip';
  open(): Readable;
}

export type FeedEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | 'iso-8859-1' | 'iso-8859-15';

/** After `decode`: text without a byte order mark, in chunks. May be opened more than once. */
export interface DecodedFile {
  encoding: FeedEncoding;
  /** The last character lacks bytes: the file was cut short. */
  endsInsideCharacter?: boolean;
  /** It calls itself UTF-8 and holds bytes of windows-1252, too. */
  isMixed?: boolean;
  /** What is odd about its bytes; for the report. */
  notes?: readonly FileNote[];
  open(): AsyncIterable<string>;
}

/** After `map`: one row's cells as AAP fields. */
export interface MappedRow {
  row: number;
  line: number;
  /** What a person looks the row up by: VIN if sound, else stock, else empty. */
  key: string;
  vehicle: Vehicle;
  /** What the row's dealer column says, and that column. */
  dealer?: { name: string; field: string };
  /** For delta feeds: the row asks to take the vehicle off the lot. */
  remove?: boolean;
  /** The exact amount behind list_price, in cents: prices with every charge inside are computed from it. */
  listPriceCents?: number;
  /** A note in the row says that a charge is not inside its price, so it can not be published as price. */
  priceExcludesCharges?: boolean;
  /** A note in the row says that not everybody gets its price. */
  priceIsConditional?: boolean;
  /** The same row may say another price tomorrow. */
  isOfItsTime?: boolean;
  /** Place among the rows of the same vehicle, where the profile gathers them. */
  sequence?: number;
  /** It holds a word that no vocabulary knows, which the report counts. */
  keepsWords?: boolean;
  rejection?: Rejection;
  warnings: RowWarning[];
}

/** Why a row was refused: shown in the report with line, column, value, reason and what to do. */
export interface Rejection {
  code: string;
  /** The file's column, as the file spells it. */
  field?: string;
  value?: string;
  detail?: string;
}

export interface RowWarning extends RowNote {
  field?: string;
  value?: string;
}

/** After `check`: a vehicle fit for the lot, or the reason why not. */
export type CheckedRow =
  | {
      kind: 'accepted';
      row: number;
      line: number;
      key: string;
      staged: StagedVehicle;
      warnings: RowWarning[];
    }
  | {
      kind: 'removal';
      row: number;
      line: number;
      key: string;
      removal: StagedRemoval;
      warnings: RowWarning[];
    }
  | {
      kind: 'rejected';
      row: number;
      line: number;
      key: string;
      rejection: Rejection;
      warnings: RowWarning[];
      /** The rooftop that the row names: the file speaks of it, although this row does not count. */
      rooftopId?: string;
      /** It is refused because the vehicle is gone: a word about the vehicle, which leaves. */
      dismissal?: StagedRemoval;
    };
