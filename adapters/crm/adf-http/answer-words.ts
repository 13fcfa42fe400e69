/** Of an answer that is read for its words; what a CRM has to say stands at its begin. */
const READ_CHARACTERS = 8_192;
/** The core shortens further, once the customer's own words are taken out: cut here, half a name could stay. */
const LONGEST_WORDS = 1_000;
const MOST_VALUES = 40;
const DEEPEST = 6;

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

/**
 * What the CRM says in its answer, as one line to add to a reason: `; it says: parseOk: false, error: unknown vendor`.
 * Empty when it says nothing. Escapes and markup are undone, so that the core finds the customer in what is quoted.
 */
export function answerWords(body: string | undefined): string {
  const words = oneLine(plainText((body ?? '').slice(0, READ_CHARACTERS)));
  return words === '' ? '' : `; it says: ${words.slice(0, LONGEST_WORDS).toWellFormed()}`;
}

function plainText(body: string): string {
  try {
    return valuesOf(JSON.parse(body), '', DEEPEST).slice(0, MOST_VALUES).join(', ');
  } catch {
    return body.trimStart().startsWith('<') ? withoutMarkup(body) : body;
  }
}

/** `name: value` for each value, with the name of the member that holds it. */
function valuesOf(value: unknown, name: string, depth: number): string[] {
  if (typeof value !== 'object' || value === null) {
    const text = String(value);
    return [name === '' ? text : `${name}: ${text}`];
  }
  if (depth === 0) return [];
  if (Array.isArray(value)) return value.flatMap((item) => valuesOf(item, name, depth - 1));
  return Object.entries(value).flatMap(([member, item]) => valuesOf(item, member, depth - 1));
}

/** The text between tags and, unless it is a web page, in attributes. */
function withoutMarkup(body: string): string {
  const isPage = /^\s*<(?:!doctype html|html)\b/i.test(body);
  const text = body
    .replaceAll(/<(script|style)\b[^<>]*>[^<]*<\/\1>/gi, ' ')
    .replaceAll(/<[^<>]*>/g, (tag) => (isPage ? ' ' : attributesOf(tag)));
  return text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,4}));/gi, (whole, decimal, hex, name) => {
    if (typeof name === 'string') return ENTITIES[name.toLowerCase()] ?? whole;
    const code = typeof decimal === 'string' ? Number(decimal) : Number.parseInt(String(hex), 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

function attributesOf(tag: string): string {
  if (/^<[?!]/.test(tag)) return ' ';
  const values = [...tag.matchAll(/\s([\w:.-]{1,50})\s*=\s*(?:"([^"]*)"|'([^']*)')/g)];
  return ` ${values.map(([, name = '', double, single]) => `${name}: ${double ?? single ?? ''}`).join(', ')} `;
}

/** Invisible characters could hide a name from whoever looks for it. */
function oneLine(text: string): string {
  return text
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}
