import { type NumberedProblems, testsOf } from '../numbered-problems.ts';

/**
 * The field problems that people really have with inventory files, one number each, and in which file of this folder
 * the test stands that says what the bridge makes of it. `fault(5, …)` is the test of number 5.
 */
export const PLACES = ['bytes', 'rows', 'prices', 'identity', 'files', 'texts', 'supplements'] as const;
type Place = (typeof PLACES)[number];

function at(place: Place, words: string): NumberedProblems<Place>[number] {
  return { place, words };
}

export const FAULTS: NumberedProblems<Place> = {
  1: at('bytes', 'a byte order mark glued to the first header, quoted or not, is taken off'),
  2: at('bytes', 'UTF-16 is known by its mark or its zero bytes; other zero bytes are no text'),
  3: at('bytes', 'what is no UTF-8 is windows-1252 (euro, curly quotes), and the report says so'),
  4: at('bytes', 'a short file is not guessed at: the rules give one answer'),
  5: at('rows', 'inch marks that nobody doubled are repaired where the number of values proves it'),
  6: at('rows', 'a quote that is never closed costs one row and not the file'),
  7: at('rows', 'quote characters in an unquoted pipe file are letters where the profile says so'),
  8: at('rows', 'a vendor that deletes quotes and turns line breaks into commas is read as it writes'),
  9: at('rows', 'line breaks in quoted texts, and the two characters \\n where the profile says so'),
  10: at('rows', 'line ends of three kinds in one file'),
  11: at('rows', 'the delimiter is decided by the header line, not by commas in prices'),
  12: at('rows', 'a file called csv that is full of tabs'),
  13: at('rows', 'short rows, empty extra values, and filled extra values'),
  14: at('rows', 'a column that stands twice: the first counts and it is told'),
  15: at('rows', 'an unknown column is listed; a missing one that is needed refuses the file'),
  16: at('rows', 'names of columns that drift in case, blanks and underscores'),
  17: at('rows', 'a column is never found by a part of its name'),
  18: at('prices', 'dollar signs, thousands, USD, cents, words and zero'),
  19: at('prices', 'a text that is no number stays none; nothing is stripped until it looks like one'),
  20: at('prices', 'a wrong number in the price column is held back, the vehicle stays'),
  21: at('prices', 'a base amount is published as list price and never as price'),
  22: at('identity', 'a VIN in lower case with blanks and hyphens'),
  23: at('identity', 'a VIN with I, O, Q or a wrong length is refused with a suggestion, never corrected'),
  24: at('identity', 'a check digit that does not fit is a warning; a stand-in is refused'),
  25: at('identity', 'units without a VIN of 17 characters are kept by their stock number'),
  26: at('identity', 'what a spreadsheet does to stock numbers'),
  27: at('identity', 'numbers in XML stay the text they are'),
  28: at('texts', 'one record or photo in XML is read as many are'),
  29: at('bytes', 'bare ampersands refuse the file with the place, or are mended where the profile says so'),
  30: at('bytes', 'prefixes, default namespaces and escaped names in XML'),
  31: at('files', 'a half written file is waited for, and names of unfinished files are passed over'),
  32: at('files', 'an empty or failed feed leaves the lot alone'),
  33: at('files', 'only rooftops that the file names lose vehicles'),
  34: at('files', 'an error in the middle leaves the whole old lot'),
  35: at('files', 'a file that lacks nearly everything waits for a person'),
  36: at('files', 'a vehicle that blinks out for one run, with and without grace'),
  37: at('files', 'a file that announces more vehicles than it holds is never taken as whole'),
  38: at('files', 'an old file is refused by age, and read again it makes nothing younger'),
  39: at('identity', 'one VIN twice, in one file and at two rooftops'),
  40: at('identity', 'a VIN and a stock number that point at different vehicles'),
  41: at('texts', 'descriptions in HTML become plain text with line breaks'),
  42: at('texts', 'photo lists with commas and blanks inside, blanks behind, pipes between'),
  43: at('texts', 'photo addresses that expire are renewed; relative ones are left out'),
  44: at('supplements', 'photos in a file of their own that comes at another time'),
  45: at('texts', 'an odometer in kilometers or hours'),
  46: at('texts', 'a negative or absurd mileage is left out with a warning'),
  47: at('identity', 'a year of two digits counts only where the VIN agrees'),
  48: at('texts', 'a date is never moved by a time zone, and reading again makes no second vehicle'),
  49: at('identity', 'words for new and used, each vendor its own; an unknown word refuses the row'),
  50: at('identity', 'the condition of Meta is wear and says nothing about new and used'),
  51: at('texts', 'advertising prose in option lists is no feature'),
  52: at('files', 'archives: told by their bytes, litter skipped, one data file, no way out, no bombs'),
  53: at('files', 'limits on size, rows and fields'),
  54: at('files', 'rows of strangers in a group file'),
};

export const faultsAt = testsOf('field problems', FAULTS);
