/**
 * Names of files as strangers choose them, made fit for our own folders on any system. A claimed file is called
 * `20260430T101500.123Z-<name>` from then on, so that folders sort by time and equal names do not collide.
 */

/** In bytes, so that stamp, name and `.report.json` stay below the 255 bytes a file system allows. */
const LONGEST_NAME_BYTES = 150;
const LONGEST_EXTENSION = 12;

/** Control, formatting and private characters, half surrogates, and what Windows or a path would take as syntax. */
const UNSAFE_CHARACTERS = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\uFFFD<>:"/\\|?*]+/gu;

const STAMP = /^\d{8}T\d{6}\.\d{3}Z-/;
const STAMP_PARTS = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2}\.\d{3}Z)-$/;

/** The name without anything that could break a log line, a report or a path; at most 150 bytes of UTF-8. */
export function safeFileName(name: string): string {
  const plain = name
    .normalize('NFC')
    .replace(UNSAFE_CHARACTERS, '_')
    .replace(/^[. ]+/, '_')
    .replace(/[. ]+$/, '');
  return shorten(plain === '' ? 'file' : plain);
}

/** Windows allows no colon in a name, hence the compact form of the time. */
export function stampedName(name: string, atMs: number): string {
  const stamp = new Date(atMs).toISOString().replace(/[-:]/g, '');
  return `${stamp}-${safeFileName(name)}`;
}

/** The time in the stamp of `stampedName`, in ms since 1970; undefined when the name has none. */
export function stampedAt(name: string): number | undefined {
  const stamp = STAMP.exec(name)?.[0];
  return stamp === undefined ? undefined : Date.parse(stamp.replace(STAMP_PARTS, '$1-$2-$3T$4:$5:$6'));
}

/** The name without the stamp of `stampedName`. */
export function unstampedName(name: string): string {
  return name.replace(STAMP, '');
}

function shorten(name: string): string {
  if (Buffer.byteLength(name) <= LONGEST_NAME_BYTES) return name;
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 && name.length - dot <= LONGEST_EXTENSION ? name.slice(dot) : '';
  const room = LONGEST_NAME_BYTES - Buffer.byteLength(extension);
  let stem = '';
  let bytes = 0;
  for (const character of name.slice(0, name.length - extension.length)) {
    bytes += Buffer.byteLength(character);
    if (bytes > room) break;
    stem += character;
  }
  return stem + extension;
}

const NATURAL_ORDER = new Intl.Collator('en', { numeric: true });

/** As people count: `INV_9` before `INV_10`. */
export function byName(one: string, other: string): number {
  return NATURAL_ORDER.compare(one, other) || (one < other ? -1 : 1);
}
