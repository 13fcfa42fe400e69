import { decodeEntities } from './html-entities.ts';
import { saysNothing } from './text.ts';
import { isReadyAddress, webAddress } from './web-address.ts';

/**
 * Separators of addresses, but only where a new address begins: after them comes a scheme or `//`, or behind the name
 * of a picture a path. Everything else, such as `w_400,/b.jpg`, stands inside of one. The look behind lets a long run
 * of separators be tried once only.
 */
const BETWEEN_ADDRESSES =
  /(?<![\s,;|~^])(?:[\s,;|~^]|\\[nrt])+(?=(?:\d{1,3}[:=])?[a-z][a-z0-9+.-]{1,20}:\/\/|(?:data|blob):|\/\/)|(?<=\.(?:jpe?g|png|webp|gif|avif|bmp))(?:[\s,;|~^]+(?=\/)|(?=https?:\/\/))/i;

/** Before an address in lists whose items have numbers. */
const NUMBER_BEFORE = /^\d{1,3}[:=]\s*(?=https?:|\/\/)/i;

/**
 * Two addresses run together, where nothing told them apart. One may stand within another, as services write it that
 * fetch pictures: behind a slash, a sign of a query or a bracket.
 */
const RUN_TOGETHER = /[^\s/=:?&(@!+_.-]https?:\/\//i;

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
  if (!cell.includes(',') && isOneReadyAddress(cell)) return [cell];
  const sign = cell.includes('|') ? '|' : ',';
  if (sign === '|' && cell.includes(',')) return undefined;
  const pieces = cell.split(sign);
  return pieces.every(isOneReadyAddress) ? pieces : undefined;
}

/** Where a second scheme stands in it, it has to be looked at. */
function isOneReadyAddress(text: string): boolean {
  return text.lastIndexOf('://') < LONGEST_SCHEME && isReadyAddress(text);
}

const LONGEST_SCHEME = 'https:'.length;

/** Undefined in place of what is no address. */
function addressesIn(cell: string, separator: string | undefined): (string | undefined)[] {
  const pieces = addressesOf(cell.trim(), separator).map(withoutRest);
  return pieces
    .filter((piece) => !saysNothing(piece))
    .map((piece) => {
      const address = piece.replace(NUMBER_BEFORE, '');
      return RUN_TOGETHER.test(address) ? undefined : webAddress(address);
    });
}

/** The address without what stands behind it and is none. */
function withoutRest(piece: string): string {
  for (let end = piece.length; ;) {
    while (end > 0 && ' \t\r\n,;|~^'.includes(piece.charAt(end - 1))) end--;
    const none = NO_PHOTO_BEHIND.exec(piece.slice(Math.max(0, end - LONGEST_NO_PHOTO), end));
    if (none === null) return piece.slice(0, end);
    end -= none[0].length;
  }
}

function addressesOf(cell: string, separator: string | undefined): string[] {
  if (cell === '') return [];
  if (cell.startsWith('[') || cell.startsWith('{')) {
    const listed = addressesInJson(cell);
    if (listed !== undefined) return listed;
    return addressesOf(
      cell
        .slice(1)
        .replace(/[\]}]$/, '')
        .trim(),
      separator,
    );
  }
  if (cell.startsWith('<') && IMAGE_SOURCE.test(cell))
    return [...cell.matchAll(IMAGE_SOURCES)].map(([, address = '']) => decodeEntities(address));
  const decoded = cell.includes('&amp;') ? decodeEntities(cell) : cell;
  const text = /["']/.test(decoded) ? decoded.replace(QUOTES_AROUND, '') : decoded;
  return (isUnusual(separator) ? text.split(separator) : [text]).flatMap((part) =>
    part.trim().split(BETWEEN_ADDRESSES),
  );
}

function isUnusual(separator: string | undefined): separator is string {
  return separator !== undefined && !/^[\s,;|]*$/.test(separator);
}

const IMAGE_SOURCE = /<img\s[^>]{0,500}?\bsrc\s*=/i;
const IMAGE_SOURCES = /\bsrc\s*=\s*["']([^"']{1,2000})["']/gi;

/** `["https://…", …]`, `[{"url": "https://…"}, …]` or `{"1": "https://…", …}`. */
function addressesInJson(cell: string): string[] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(cell);
  } catch {
    return undefined;
  }
  if (Array.isArray(value)) return value.flat().flatMap(addressOfItem);
  const members: unknown[] = Object.values(value as object);
  return typeof (value as { url?: unknown }).url === 'string'
    ? addressOfItem(value)
    : members.flatMap((member) =>
        Array.isArray(member) ? member.flatMap(addressOfItem) : addressOfItem(member),
      );
}

const ADDRESS_MEMBERS = ['url', 'href', 'src', 'uri', 'link', 'image', 'photo'];

function addressOfItem(item: unknown): string[] {
  if (typeof item === 'string') return [item];
  if (typeof item !== 'object' || item === null) return [];
  const members = new Map(
    Object.entries(item).map(([name, member]) => [name.toLowerCase(), member as unknown]),
  );
  const address = ADDRESS_MEMBERS.map((name) => members.get(name)).find((each) => typeof each === 'string');
  return address === undefined ? [] : [address];
}
