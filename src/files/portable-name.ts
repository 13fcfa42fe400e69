/** What a file may be called so that Windows, Linux and a share between them all keep it under that very name. */

/** Devices, not files, with any ending and in any case: `nul.csv` is nowhere. ¹²³ count as digits there. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³]) *(?:\.|$)/iu;

/** A colon would open a second stream of the file, a blank or dot at the end is silently dropped. */
const UNFIT = /[<>:"/\\|?*\p{Cc}]|[. ]$/u;

/** Windows' limit on one name, in UTF-16 units; Linux has as many bytes. */
const LONGEST = 255;

/** Why no system could be trusted to keep the name; undefined when each would. */
export function unfitName(name: string): string | undefined {
  if (name === '' || name === '.' || name === '..') return 'it names no file';
  if (isDeviceName(name)) return 'Windows has a device of that name';
  if (UNFIT.test(name))
    return 'it holds a character that Windows allows in no name, or ends in a dot or a blank';
  if (name.length > LONGEST || Buffer.byteLength(name) > LONGEST) return `it is longer than ${LONGEST} bytes`;
  return undefined;
}

/** Whether Windows takes the name for a device, whatever its ending. */
export function isDeviceName(name: string): boolean {
  return DEVICE.test(name);
}

/** Equal for two names exactly when Windows takes them for one file, or a Mac writes them in another Unicode form. */
export function nameKey(name: string): string {
  return name
    .normalize('NFC')
    .toUpperCase()
    .replace(/[. ]+$/, '');
}
