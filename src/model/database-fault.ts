import { OperatorFault } from './operator-fault.ts';

/** By the beginning of SQLite's result codes, the longer ones of which name a sub-case. */
const REASONS: readonly (readonly [code: string, reason: string])[] = [
  [
    'SQLITE_CANTOPEN',
    'cannot be opened. Check that the folder is there and that this account may write in it.',
  ],
  ['SQLITE_READONLY', 'cannot be written. Check the rights of this account on the file and its folder.'],
  ['SQLITE_PERM', 'cannot be written. Check the rights of this account on the file and its folder.'],
  ['SQLITE_FULL', 'cannot grow: the disk is full. Make room and start again.'],
  ['SQLITE_IOERR', 'cannot be read or written: the disk refuses. Check the disk and the room on it.'],
  ['SQLITE_BUSY', 'is locked by another program. Is a backup or a virus scanner at work on it?'],
];
const DAMAGE_CODES = ['SQLITE_NOTADB', 'SQLITE_CORRUPT'];

/**
 * SQLite's own words ("file is not a database") name neither the file nor a way out.
 *
 * @param ifDamaged what to do about a file that is no sound database, in sentences.
 * @returns what to throw instead; faults that are not SQLite's come back as they are.
 */
export function databaseFault(fault: unknown, file: string, ifDamaged: string): unknown {
  const code = fault instanceof Error && 'code' in fault ? String(fault.code) : '';
  const reason = DAMAGE_CODES.some((known) => code.startsWith(known))
    ? `is damaged or no database of the bridge. ${ifDamaged}`
    : REASONS.find(([known]) => code.startsWith(known))?.[1];
  return reason === undefined ? fault : new OperatorFault(`${file} ${reason}`, { cause: fault });
}
