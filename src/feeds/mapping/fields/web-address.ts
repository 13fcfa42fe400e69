/** Host (storage services have some with `_`), and the characters that an address may hold as they are. */
const READY =
  /^https?:\/\/[a-zA-Z0-9_]([a-zA-Z0-9_.-]*[a-zA-Z0-9])?(:\d{1,5})?([/?#][\w\-.~:/?#[\]@!$&'()*+,;=%]*)?$/;

const LONGEST_ADDRESS = 2000;

/**
 * An absolute http or https address, the scheme in small letters, blanks and letters outside of ASCII encoded;
 * `//host/…` becomes https.
 * Undefined for everything else: relative paths, other schemes, broken addresses.
 */
export function webAddress(raw: string): string | undefined {
  if (isReadyAddress(raw)) return raw;
  if (raw.length > LONGEST_ADDRESS) return undefined;
  const text = raw.startsWith('//')
    ? `https:${raw}`
    : raw.replace(/^https?:/i, (scheme) => scheme.toLowerCase());
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return undefined;
  const encoded = READY.test(text)
    ? text
    : new URL(text).href.replace(/[^\x21-\x7e]|["<>\\^`{|}]/g, encodeURIComponent);
  return READY.test(encoded) ? encoded : undefined;
}

/** Whether webAddress leaves it as it is. */
export function isReadyAddress(text: string): boolean {
  return text.length <= LONGEST_ADDRESS && READY.test(text);
}
