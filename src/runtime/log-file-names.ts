/**
 * The names of the log files, which sort in the order they were written: `bridge-20261130-0001.log`. A file keeps its
 * name for ever: Windows lets nobody rename a file that is open, and whoever follows one need not wonder.
 */
const NAME = /^bridge-(\d{8})-(\d{4,})\.log$/;
/** As the first versions called their only one. */
const FIRST_NAME = 'bridge.log';

/** @param day `YYYYMMDD` */
export function logFileName(day: string, number: number): string {
  return `bridge-${day}-${String(number).padStart(4, '0')}.log`;
}

/** The day of this machine's clock as `YYYYMMDD`. */
export function dayOf(time: number): string {
  const date = new Date(time);
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('');
}

/** The number of the last file of the day; 0 when it has none. */
export function lastNumber(names: readonly string[], day: string): number {
  const numbers = names
    .map((name) => NAME.exec(name))
    .map((match) => (match?.[1] === day ? Number(match[2]) : 0));
  return Math.max(0, ...numbers);
}

/** Only the log files among the names, the oldest first. */
export function logFilesAmong(names: readonly string[]): string[] {
  const dated = names
    .filter((name) => NAME.test(name))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  return names.includes(FIRST_NAME) ? [FIRST_NAME, ...dated] : dated;
}
