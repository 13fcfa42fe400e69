/** Names of settings whose values open doors. */
const SECRET_NAME = /pass|secret|token|key|credential|cookie|signature|assertion|hash|^pin$/i;
/** Whatever lies below these is blanked, though it may be a word such as `basic` or a name. */
const PRIVATE_NAME = /auth|^headers?$|^user(?:_?name)?$|^login$/i;
/** Below `auth`, `kind` says how a login is made and nothing of it. */
const HARMLESS_PRIVATE = /^kind$/i;
/** They sound like it, and are places or words of ours. */
const HARMLESS_NAME = /_file$|^require_token$|^author$/i;
/** A reference tells where the secret is, not what it is. */
const REFERENCE = /^\$\{(?:env|file):[^}]*\}$/;
const ADDRESS = /\b([a-z][a-z0-9+.-]*):\/\/[^\s"'<>]+/gi;
/** What looks like a token wherever it stands: long, without blanks, letters and digits mixed. */
const TOKEN_LIKE = /^(?=.*\d)(?=.*[a-z])[\w+/=~-]{24,}$/i;

/** Shorter parts of addresses and private words would be found in every second sentence. */
const SHORTEST_UNNAMED = 12;
/** Shorter ones stand in sizes and times. */
const SHORTEST_NUMBER = 6;

const REMOVED = '[removed]';

type Privacy = 'open' | 'private' | 'secret';

export interface BlankedSettings {
  value: unknown;
  /** What was blanked and is no common word: it must not stand anywhere else either. */
  secrets: string[];
}

/**
 * The settings as they are written, without anything that opens a door: rather too much is blanked than too little, as
 * an adapter of somebody else's may call its secrets by any name. What the dealer publishes (`dealer`) stays.
 */
export function blankSettings(settings: unknown): BlankedSettings {
  const secrets: string[] = [];
  const blank = (text: string, shortest = SHORTEST_UNNAMED): string => {
    if (text.length >= shortest) secrets.push(text);
    return REMOVED;
  };
  const blankText = (text: string): string => {
    if (text.includes('-----BEGIN') || TOKEN_LIKE.test(text)) return blank(text);
    return text.replaceAll(ADDRESS, (address) => originOf(address, blank));
  };
  const walk = (value: unknown, privacy: Privacy): unknown => {
    if (typeof value === 'string' && !REFERENCE.test(value)) {
      if (privacy === 'secret') return blank(value, 1);
      return privacy === 'private' ? blank(value) : blankText(value);
    }
    if (typeof value === 'number' && privacy !== 'open') return blank(String(value), SHORTEST_NUMBER);
    if (Array.isArray(value)) return value.map((item) => walk(item, privacy));
    if (typeof value !== 'object' || value === null) return value;
    // A secret with parts, such as a list of tokens with names: each part is judged by its own name.
    const inside = privacy === 'open' ? 'open' : 'private';
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, walk(member, privacyOf(name, inside))]),
    );
  };
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) {
    return { value: walk(settings, 'secret'), secrets };
  }
  const value = Object.fromEntries(
    Object.entries(settings).map(([name, member]) => [
      name,
      name === 'dealer' ? member : walk(member, 'open'),
    ]),
  );
  return { value, secrets };
}

function privacyOf(name: string, above: Privacy): Privacy {
  if (HARMLESS_NAME.test(name)) return above;
  if (SECRET_NAME.test(name)) return 'secret';
  if (above === 'private' && HARMLESS_PRIVATE.test(name)) return 'open';
  return above === 'open' && PRIVATE_NAME.test(name) ? 'private' : above;
}

/** Paths and queries of addresses are keys as often as not. */
function originOf(address: string, blank: (text: string, shortest?: number) => string): string {
  if (!URL.canParse(address)) return blank(address);
  const { protocol, host, pathname, search, username, password } = new URL(address);
  for (const part of [password, username]) if (part !== '') blank(decodeURIComponent(part), 4);
  const rest = `${pathname}${search}`;
  return ['', '/'].includes(rest) ? `${protocol}//${host}` : `${protocol}//${host}/${blank(rest)}`;
}
