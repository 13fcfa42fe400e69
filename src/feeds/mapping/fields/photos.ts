import { decodeEntities } from './html-entities.ts';
import { jsonItems } from './json-cell.ts';
import { saysNothing } from './text.ts';
import { isReadyAddress, webAddress } from './web-address.ts';

/**
 * Separators of addresses, but only where a new address begins: after them comes a scheme or `//`, or behind the name
 * of a picture a path. Everything else, such as `w_400,/b.jpg`, stands inside of one. The look behind lets a long run
 * of separators be tried once only.
 */
const BETWEEN_ADDRESSES =
  /(?<![\s,;|])[\s,;|]+(?=[a-z][a-z0-9+.-]{1,20}:\/\/|(?:data|blob):|\/\/)|(?<=\.(?:jpe?g|png|webp|gif|avif|bmp))[\s,;|]+(?=\/)/i;

/** What exports write into a list in place of a photo, behind the address before it. */
const NO_PHOTO_BEHIND =
  /[\s,;|](?:\.|-+|n\/?a|none|null|nil|undefined|no[ _-]?(?:image|photo|picture)s?(?:[ _-]?available)?|(?:image|photo|picture)s?[ _-]?(?:not[ _-]?available|coming[ _-]?soon))$/i;
const LONGEST_NO_PHOTO = 30;

/** Quotes around the addresses of a list: no address begins or ends with one. */
const QUOTES_AROUND = /^["']|["']$|["'](?=[\s,;|])|(?<=[\s,;|])["']/g;

/**
 * Photo addresses out of one or more cells, in order, each once. Separated by comma, semicolon, pipe, blank or
 * line break, or as a JSON list; a comma or blank inside of an address stays in it. What is no http(s) address is
 * left out and counted, and so is what comes after the first `most`.
 */
export function parsePhotos(
  cells: readonly string[],
  separator?: string,
  most = Infinity,
): { photos: string[]; dropped: number; beyondLimit: number } {
  const photos = new Set<string>();
  let dropped = 0;
  let beyondLimit = 0;
  for (const cell of cells) {
    const addresses = readyAddresses(cell, separator) ?? addressesIn(cell, separator);
    for (const address of addresses) {
      if (address === undefined) dropped++;
      else if (photos.size < most) photos.add(address);
      else if (!photos.has(address)) beyondLimit++;
    }
  }
  return { photos: [...photos], dropped, beyondLimit };
}

/**
 * The addresses of nearly every list: all as they are to be published, with one sign between them that stands nowhere
 * in them. Undefined for any other list. Found in half the time that looking for where an address begins takes.
 */
function readyAddresses(cell: string, separator: string | undefined): string[] | undefined {
  if (isUnusual(separator) || cell.includes(';')) return undefined;
  if (!cell.includes(',') && isReadyAddress(cell)) return [cell];
  const sign = cell.includes('|') ? '|' : ',';
  if (sign === '|' && cell.includes(',')) return undefined;
  const pieces = cell.split(sign);
  return pieces.every(isReadyAddress) ? pieces : undefined;
}

/** Undefined in place of what is no address. */
function addressesIn(cell: string, separator: string | undefined): (string | undefined)[] {
  const pieces = addressesOf(cell.trim(), separator).map(withoutRest);
  return pieces.filter((piece) => !saysNothing(piece)).map(webAddress);
}

/** The address without what stands behind it and is none. */
function withoutRest(piece: string): string {
  for (let end = piece.length; ;) {
    while (end > 0 && ' \t\r\n,;|'.includes(piece.charAt(end - 1))) end--;
    const none = NO_PHOTO_BEHIND.exec(piece.slice(Math.max(0, end - LONGEST_NO_PHOTO), end));
    if (none === null) return piece.slice(0, end);
    end -= none[0].length;
  }
}

function addressesOf(cell: string, separator: string | undefined): string[] {
  if (cell === '') return [];
  if (cell.startsWith('[')) return addressesInList(cell) ?? [cell];
  const decoded = cell.includes('&amp;') ? decodeEntities(cell) : cell;
  const text = /["']/.test(decoded) ? decoded.replace(QUOTES_AROUND, '') : decoded;
  return (isUnusual(separator) ? text.split(separator) : [text]).flatMap((part) =>
    part.trim().split(BETWEEN_ADDRESSES),
  );
}

function isUnusual(separator: string | undefined): separator is string {
  return separator !== undefined && !/^[\s,;|]*$/.test(separator);
}

/** `["https://…", …]` or `[{"url": "https://…"}, …]`. */
function addressesInList(cell: string): string[] | undefined {
  return jsonItems(cell)?.flatMap((item: unknown) => {
    if (typeof item === 'string') return [item];
    const url = typeof item === 'object' && item !== null && 'url' in item ? item.url : undefined;
    return typeof url === 'string' ? [url] : [];
  });
}
