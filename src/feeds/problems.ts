/**
 * Everything that can be wrong with a feed file, in one table: the stable code, what happened, what to do.
 * Readers, mapper and spine name a code and its facts; only this file knows the sentences.
 */

interface Explanation {
  /** Said of the file or the row, without a full stop; facts follow in brackets. */
  readonly message: string;
  readonly remedy: string;
}

const RESEND = 'Ask the sender to write the file again; the last good inventory stays on the lot.';
const CORRECT = "Correct it in the dealer's system and export again.";

const SETTLE_SHRINKING =
  'If that is right, release the run; else ask the sender for a complete export. The same file coming once more ' +
  'counts as a yes, unless the guard of the feed says confirm_by_repeat: false.';

/** The file as a whole is refused or held: the lot stays as it was. */
const FILE_FAULTS = {
  empty_file: { message: 'the file is empty', remedy: RESEND },
  not_a_feed: {
    message: 'the file is no inventory export (a web page, a picture or other data)',
    remedy:
      'Look at what the sender put there; often it is an error page saved under the name of the export.',
  },
  not_a_regular_file: {
    message: 'this is a folder, a link or a device and no plain file',
    remedy: 'Put the export itself into the folder.',
  },
  file_too_large: {
    message: 'the file is larger than any inventory should be',
    remedy: 'Check that the export holds this dealership only, or raise max_file_mb of feed_limits.',
  },
  file_unreadable: {
    message: 'the file could not be read',
    remedy: 'Check the rights of the folder and whether another program holds the file open.',
  },
  archive_unsafe_path: {
    message: 'the archive holds a file whose name leads out of its folder',
    remedy: 'Do not trust this archive; ask the sender where it comes from.',
  },
  ambiguous_archive: {
    message: 'the archive holds more than one data file',
    remedy: 'Send each export in an archive of its own, or unpacked.',
  },
  archive_empty: { message: 'the archive holds no data file', remedy: RESEND },
  archive_too_large: {
    message: 'the archive unpacks to more than is allowed',
    remedy:
      'Send the export unpacked, or check that it is the right one; then raise max_unpacked_mb, max_archive_ratio or max_archive_entries of feed_limits.',
  },
  archive_broken: { message: 'the archive is damaged or was cut short', remedy: RESEND },
  archive_encrypted: {
    message: 'the archive is locked with a password',
    remedy: 'Ask the sender for an archive without a password.',
  },
  encoding_unknown: {
    message: 'the text of the file is in no encoding that the bridge knows',
    remedy: 'Have it exported as UTF-8 text.',
  },
  encoding_broken: {
    message: 'the file holds bytes that do not fit the encoding it claims',
    remedy: "Have it exported as UTF-8, or name the true encoding in the profile's reader.",
  },
  xml_not_well_formed: {
    message: 'the XML is broken or was cut short',
    remedy: 'Have the sender repair the export (often an & that should be &amp;) or send it again.',
  },
  xml_doctype_refused: {
    message: 'the XML brings a document type definition, which the bridge does not open',
    remedy: 'Have it exported without a DOCTYPE line.',
  },
  xml_too_deep: {
    message: 'the XML is nested deeper than any inventory',
    remedy: 'Check that it is the right file, or raise max_xml_depth of feed_limits.',
  },
  vendor_error: {
    message: "the file holds the sender's error message in place of an inventory",
    remedy: "Tell the vendor's support what it says.",
  },
  missing_required_column: {
    message: 'columns are missing without which no vehicle can be read',
    remedy: 'The export was changed or belongs to another profile: restore the columns or adapt the profile.',
  },
  header_missing: {
    message: 'the file has no header line: its first line is a vehicle',
    remedy:
      'Have it exported with a header line; a profile of your own may name the columns (header: false).',
  },
  header_changes: {
    message:
      'a second header line in the middle of the file names other columns or another order than the first',
    remedy: 'Exports were glued together: have each sent as a file of its own, or all with the same columns.',
  },
  duplicate_column: {
    message: 'a column that the profile uses stands in the file more than once',
    remedy: 'Have the export name each column once.',
  },
  too_many_rows: {
    message: 'the file has more rows than are allowed',
    remedy: 'Check that the export holds this dealership only, or raise max_rows of feed_limits.',
  },
  too_many_columns: {
    message: 'the file has more columns than are allowed',
    remedy: 'Check the delimiter and whether it is the right file, or raise max_columns of feed_limits.',
  },
  row_too_large: {
    message: 'a row is larger than any vehicle should be',
    remedy:
      'Look for a quote that is opened and never closed near that line, or raise max_row_characters of feed_limits.',
  },
  no_vehicles: {
    message: 'the file holds no vehicle that can be taken in',
    remedy: 'Look at the refused rows: each says what is wrong with it.',
  },
  no_rows: {
    message: 'the file holds no row and thus no vehicle',
    remedy:
      'Ask the sender for a complete export. Only if nothing is for sale any more, release the run by hand: it ' +
      'takes every vehicle of this feed off the lot.',
  },
  shrink_guard: {
    message: 'the file would take unusually many vehicles off the lot',
    remedy: SETTLE_SHRINKING,
  },
  values_gone: {
    message: 'a value that the vehicles of this feed had is gone from most of them',
    remedy:
      'Look whether a column was renamed or left out: restore it, or adapt the profile and drop the file again. ' +
      'Only if the values are gone on purpose, release the run.',
  },
  rooftops_changed: {
    message: 'most vehicles of a rooftop would stand at another one',
    remedy:
      'Look whether the column that names the dealer is still there and right. If the vehicles have really been ' +
      'moved, release the run.',
  },
  delta_changed: {
    message: 'vehicles would lose a value that they had, or most of a rooftop would stand at another one',
    remedy:
      'Look whether a column was renamed or left out. Release the run if that is right, else discard it; the next ' +
      'files of this feed wait behind it.',
  },
  delta_shrink: {
    message: 'the file would take unusually many vehicles off the lot',
    remedy:
      SETTLE_SHRINKING +
      ' The next files of this feed wait behind it, because what it says is not said again.',
  },
  delta_waits: {
    message: 'an earlier file of this feed waits for a person, and this one behind it',
    remedy: 'Release the earlier one, and this one follows it; or discard that one, then release this one.',
  },
  companion_empty: {
    message: 'the file holds no row and thus adds to no vehicle',
    remedy:
      'Ask the sender for a complete export. If you release the run by hand, everything that this feed has brought ' +
      'for vehicles is taken back; the vehicles stay.',
  },
  companion_shrink: {
    message: 'the file would take back what this feed has brought for unusually many vehicles',
    remedy: SETTLE_SHRINKING,
  },
  truncated_file: { message: 'the file was cut short', remedy: RESEND },
  file_stale: {
    message: 'the file is older than this feed allows',
    remedy:
      'Ask the sender for a fresh export. Only if this one still holds, raise max_age_hours of the feed or give ' +
      'the file a newer time, and drop it again.',
  },
  older_than_last: {
    message: 'the file is older than the one taken in last and would bring old prices and sold vehicles back',
    remedy:
      'Nothing to do if the newer one is right: discard this one, or let the next file make it idle. To go back to ' +
      'this one, release it.',
  },
  delta_older: {
    message: 'the file is older than the one taken in last and may undo what that has changed',
    remedy:
      'Look at its rows: release it if they are still right, else discard it. Newer files are taken in meanwhile.',
  },
  profile_invalid: {
    message: 'the profile of this feed cannot be used',
    remedy: 'Run the check command: it names every fault with line and column.',
  },
  reader_invalid: {
    message: 'the reader of this feed cannot be used',
    remedy: 'Run the check command: it names every fault with line and column.',
  },
  apply_failed: {
    message: 'the inventory could not be written',
    remedy: 'Check disk space and the rights of the data folder, then drop the file again.',
  },
  internal_error: {
    message: 'the bridge itself failed while it read the file',
    remedy: 'Keep the file and send it with the log to whoever maintains the bridge.',
  },
} as const satisfies Record<string, Explanation>;

/** The file is taken in, but something about it is odd. */
const FILE_WARNINGS = {
  possibly_truncated: {
    message: 'the file seems to be cut short: its rows count, but nothing is removed because of it',
    remedy: 'Check that the upload ran to its end.',
  },
  end_missing: {
    message:
      'what stood at the end of the file before is missing, as if this one had been cut off there: those vehicles ' +
      'stay until another file lacks them, too',
    remedy: 'Nothing to do if they are sold, or if the next file is complete; else check the upload.',
  },
  refused_and_removed: {
    message: 'vehicles whose rows were refused have left the lot, since nothing of them is certain any more',
    remedy: 'Correct the refused rows and export again: the vehicles return with the next file.',
  },
  several_dealers: {
    message:
      'the feed is of one rooftop, and its rows name several dealers: all count as vehicles of that rooftop',
    remedy:
      'If they are names of one dealer, nothing to do. Else set rooftop: { from: column } for the feed, with the ' +
      "dealers' names in feed_ids, so that rows of strangers are refused.",
  },
  photos_gone: {
    message: 'the file has no column for photos, and the vehicles of this feed lose those that they had',
    remedy:
      'Look whether the column was renamed or left out: restore it, or adapt the profile and drop the file again.',
  },
  duplicate_header: {
    message: 'a column name stands twice in the header: the first one counts',
    remedy: 'Have the export name each column once.',
  },
  column_without_name: {
    message: 'a column has no name and is left out',
    remedy: 'Have the export name it if it matters.',
  },
  delimiter_unexpected: {
    message: 'the delimiter is not the usual one for this profile',
    remedy: 'Nothing to do while the rows are right.',
  },
  encoding_guessed: {
    message: 'the encoding was recognised by its bytes, not declared',
    remedy: 'Have it exported as UTF-8 if letters look wrong.',
  },
  encoding_contradicted: {
    message:
      'the file says that it is written in another encoding than its bytes are; the bytes were believed',
    remedy: 'Look at names and texts with accents; have the vendor declare the true encoding.',
  },
  xml_repaired: {
    message:
      'the XML was broken (an & that should be &amp;, a letter written as in HTML) and has been repaired',
    remedy: 'Have the vendor write well-formed XML.',
  },
  quotes_repaired: {
    message: 'quotes inside of values were not doubled and have been repaired',
    remedy: 'Have the vendor double the quotes inside of values.',
  },
} as const satisfies Record<string, Explanation>;

/** One row is refused; the others count. */
const ROW_REJECTIONS = {
  vin_invalid: {
    message: 'the VIN is not sound (17 letters and digits without I, O and Q)',
    remedy: CORRECT,
  },
  vin_placeholder: { message: 'the VIN is a stand-in and no VIN', remedy: CORRECT },
  no_identity: {
    message: 'neither VIN nor stock number tells which vehicle it is',
    remedy: CORRECT,
  },
  condition_unknown: {
    message: 'it cannot be told whether the vehicle is new or used',
    remedy: "Correct the value, or teach the word to the profile's condition.",
  },
  status_out_of_stock: {
    message: 'the vehicle is sold, wholesaled or otherwise not for sale',
    remedy: 'Nothing to do.',
  },
  status_unknown: {
    message: 'the status says something that the bridge does not know, so the vehicle is left out',
    remedy: "Teach the word to the profile's status.",
  },
  missing_required: { message: 'what every listing needs is missing', remedy: CORRECT },
  row_not_a_vehicle: { message: 'the row is a total, a note or a heading', remedy: 'Nothing to do.' },
  row_truncated: {
    message: 'the file ends in the middle of this row, or may do so',
    remedy:
      'Check that the upload ran to its end. If it did, end the last line with a line break and drop the file again.',
  },
  row_too_long: {
    message: 'the row has more values than the header has columns, so they have slipped',
    remedy: 'Look for a delimiter or a quote inside of a value.',
  },
  row_too_large: {
    message: 'the row is larger than any vehicle should be',
    remedy: 'Look for a quote that is opened and never closed.',
  },
  quote_malformed: {
    message: 'a quote is opened and never closed in this row',
    remedy: 'Have the vendor double the quotes inside of values.',
  },
  cell_too_large: {
    message: 'a value is longer than any should be',
    remedy: 'Correct it, or raise max_cell_characters of feed_limits.',
  },
  duplicate_vin: {
    message: 'the same vehicle stands in the file again and the other row counts',
    remedy: "Remove one of them in the dealer's system if they differ.",
  },
  vin_at_other_rooftop: {
    message: 'another feed has this vehicle at another rooftop by a newer file, and that one counts',
    remedy: 'Have the rooftop that no longer has it take it out of its export.',
  },
  gone_since: {
    message:
      'another feed has taken this vehicle off the lot, or told its VIN, by a newer file, and that one counts',
    remedy: 'Nothing to do if it is gone; else have the other feed send it again.',
  },
  delta_delete: { message: 'the row asks to take the vehicle off the lot', remedy: 'Nothing to do.' },
  action_unknown: {
    message: 'the row asks for something that the bridge does not know',
    remedy: "Teach the word to the profile's action.",
  },
  rooftop_unknown: {
    message: 'the row belongs to no rooftop of this dealer',
    remedy: "Add the id to the rooftop's feed_ids if it is one of yours.",
  },
  rooftop_mismatch: {
    message: 'the row belongs to another rooftop than this feed',
    remedy: 'Check that the file was dropped into the right folder.',
  },
  listing_invalid: {
    message: 'the vehicle would break the rules of the protocol',
    remedy: 'Check the profile; if it is right, this is a fault of the bridge.',
  },
} as const satisfies Record<string, Explanation>;

/** The row counts, but one of its values was repaired, left out or is odd. */
const ROW_WARNINGS = {
  price_missing: {
    message: 'there is no price',
    remedy: 'Give it one: buyers who sort by price see it last.',
  },
  price_invalid: { message: 'the price is no amount in US dollars and is left out', remedy: CORRECT },
  price_implausible: {
    message: 'the price is far out of the usual range and is left out',
    remedy: 'Correct it, or widen price_bounds in the profile or price_checks of the feed.',
  },
  price_currency: {
    message: 'the price is in another currency than US dollars and is left out',
    remedy: 'Have the export give the price in US dollars.',
  },
  value_ambiguous: {
    message: 'the row gives several different values for this field, and none of them is taken',
    remedy:
      'Have the export give one, or choose in the profile: Price[@kind=asking] takes the Price whose attribute kind says asking.',
  },
  price_excludes_fees: {
    message:
      'the note beside the price says that a charge is not inside, so it is not published as all-in price',
    remedy: 'Nothing to do, or send a price with every charge inside.',
  },
  price_conditional: {
    message:
      'the note beside the price says that not everybody gets it (who finances, trades in, qualifies), so it is not published as all-in price',
    remedy: 'Nothing to do, or send the price that everybody gets.',
  },
  fee_schedule_missing: {
    message: 'the rooftop has no fee schedule, so the price with fees cannot be computed',
    remedy: "Add `fees` to the rooftop's settings (`[]` if there are none).",
  },
  fees_invalid: {
    message: 'the fees cannot be read and are left out as a whole',
    remedy: CORRECT,
  },
  vin_check_digit: {
    message: 'the check digit of the VIN does not fit: a letter or digit may be wrong',
    remedy: 'Compare it with the vehicle.',
  },
  vin_missing: {
    message: 'there is no VIN; the stock number stands for the vehicle',
    remedy: 'Add the VIN when it is known.',
  },
  vin_not_iso_moved: {
    message: 'the number is no 17-character VIN and is kept as serial_number',
    remedy: 'Nothing to do for boats, trailers, motorcycles and cars before 1981.',
  },
  certified_contradicted: {
    message:
      'one column says certified pre-owned and another says that it is not certified, so it counts as used',
    remedy: CORRECT,
  },
  certified_new: {
    message: 'a new vehicle is marked as certified: it is listed as new',
    remedy: 'Take the mark away.',
  },
  certified_unknown: {
    message: 'the certified mark is no yes and no no: the vehicle is listed as used',
    remedy: 'Correct it to yes or no.',
  },
  stock_scientific: {
    message: 'a spreadsheet has destroyed the stock number, which is left out',
    remedy: 'Export again without opening the file in a spreadsheet.',
  },
  value_looks_like_date: {
    message: 'a spreadsheet seems to have turned the value into a date; it is kept as it came',
    remedy: 'Export again without opening the file in a spreadsheet.',
  },
  character_lost: {
    message:
      'a letter was lost before the file came here (it stands as U+FFFD), so the text goes without it, and an address ' +
      'or value of which nothing sound is left is left out',
    remedy: "Correct it in the dealer's system, or have the vendor export UTF-8 from end to end.",
  },
  value_invalid: { message: 'the value cannot be read and is left out', remedy: CORRECT },
  value_too_long: { message: 'the value is too long and is left out', remedy: CORRECT },
  mileage_missing: { message: 'the mileage is no number and is left out', remedy: CORRECT },
  mileage_implausible: { message: 'the mileage cannot be right and is left out', remedy: CORRECT },
  sale_dates_invalid: {
    message: 'the dates of the sale price cannot be read, or one is missing, so the regular price counts',
    remedy: 'Write both dates, or none for a price without an end.',
  },
  date_invalid: { message: 'the date cannot be read and is left out', remedy: CORRECT },
  photo_invalid: {
    message: 'none of the photo addresses can be used',
    remedy: 'Photos need complete addresses that begin with http:// or https://.',
  },
  too_many_photos: {
    message: 'there are more photos than are allowed, and the last ones are left out',
    remedy: 'Raise max_photos of feed_limits if all of them are wanted.',
  },
  row_short: {
    message: 'the row has fewer values than the header has columns: the last ones count as empty',
    remedy: 'Check the export if values are missing.',
  },
  row_extra_empty: {
    message: 'the row has more (empty) values than the header has columns',
    remedy: 'Nothing to do.',
  },
  quote_repaired: {
    message: 'a quote inside of a value was not doubled and has been repaired',
    remedy: 'Have the vendor double the quotes inside of values.',
  },
  vin_at_two_rooftops: {
    message:
      'another feed has this vehicle at another rooftop by an older file: it leaves that one and is listed here',
    remedy:
      'Nothing to do if it was moved; else have the rooftop that no longer has it take it out of its export.',
  },
  told_since: {
    message: 'another feed has said something else of this vehicle by a newer file, and that one counts',
    remedy: 'Nothing to do if that is right; else have this feed sent again.',
  },
  stock_of_another: {
    message: 'the stock number is that of another vehicle on the lot; the VIN decides which one is meant',
    remedy: 'Compare both vehicles, and correct the VIN or the stock number of the wrong one.',
  },
  duplicate_stock: {
    message: 'two different vehicles share this stock number; both are kept',
    remedy: 'Correct the stock number of one.',
  },
  supplement_empty: {
    message: 'the row brings nothing of what this feed adds to vehicles',
    remedy: 'Nothing to do if the vendor has nothing yet.',
  },
  supplement_ambiguous: {
    message: 'several vehicles could be meant, so the row adds to none of them',
    remedy: 'Have the VIN sent along, or set the rooftop of this feed.',
  },
  supplement_contradictory: {
    message: 'VIN and stock number belong to different vehicles: the VIN decides',
    remedy: 'Correct one of the two.',
  },
  removal_ambiguous: {
    message:
      'the row asks to take a vehicle off the lot by a number that several vehicles carry; none is taken off',
    remedy: 'Send the row with the VIN.',
  },
} as const satisfies Record<string, Explanation>;

export type FileFaultCode = keyof typeof FILE_FAULTS;
export type RowRejectionCode = keyof typeof ROW_REJECTIONS;
export type RowWarningCode = keyof typeof ROW_WARNINGS;

const EXPLANATIONS: ReadonlyMap<string, Explanation> = new Map<string, Explanation>([
  ...Object.entries(ROW_WARNINGS),
  ...Object.entries(ROW_REJECTIONS),
  ...Object.entries(FILE_WARNINGS),
  ...Object.entries(FILE_FAULTS),
]);

/** What is known of one case beyond its code. */
export interface FeedFacts {
  /** The file's column, as the file spells it. */
  readonly field?: string | undefined;
  readonly value?: string | undefined;
  readonly detail?: string | undefined;
}

const LONGEST_VALUE_SHOWN = 80;

/**
 * The sentence for a person: `the VIN is not sound … (VIN "1GC…": 18 characters)`, and what to do about it.
 * A code that is not in the table (a vendor's reader brings its own) is told with its detail.
 */
export function explain(code: string, facts: FeedFacts = {}): { message: string; remedy?: string } {
  const explanation = EXPLANATIONS.get(code);
  const message = explanation?.message ?? code.replaceAll('_', ' ');
  const known = describeFacts(facts);
  return {
    message: known === '' ? message : `${message} (${known})`,
    ...(explanation === undefined ? {} : { remedy: explanation.remedy }),
  };
}

function describeFacts({ field, value, detail }: FeedFacts): string {
  const shown = value === undefined ? undefined : `"${shorten(value)}"`;
  const place = [field, shown].filter((part) => part !== undefined).join(' ');
  return [place, detail].filter((part) => part !== undefined && part !== '').join(': ');
}

function shorten(value: string): string {
  return value.length <= LONGEST_VALUE_SHOWN ? value : `${value.slice(0, LONGEST_VALUE_SHOWN)}…`;
}
