/** Tags that end a line of text. Others, such as `<b>` or `<a>`, stand inside of one. */
export const BLOCK_TAGS = namesOf(
  'address article aside blockquote dd div dl dt footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre',
  'section table tr ul',
);

/** Tags whose content is no text at all. */
export const HIDDEN_TAGS = namesOf('script style template noscript iframe object svg head title');

/** Those that dealers' texts are written with, and what comes along when a page is copied. */
const OTHER_TAGS = namesOf(
  'a abbr acronym applet area audio b base basefont bdi bdo big blink body br button canvas caption center cite code',
  'col colgroup del details dfn dir em embed fieldset figcaption figure font frame frameset hgroup html i img input',
  'ins kbd label legend link map mark marquee menu meta nobr option p param picture q s samp select small source span',
  'strike strong sub summary sup tbody td textarea tfoot th thead time tt u var video wbr',
);

const TAG_NAME = /<(\/?)([a-z][a-z0-9]*)(?=[\s/>:])/iy;

/** So far a tag is followed letter by letter; longer ones hold a picture, and end with the next `>`. */
const LONGEST_FOLLOWED = 1000;

export interface Tag {
  /** Lower case. */
  name: string;
  /** Whether content may follow that belongs to it. */
  opens: boolean;
  /** Behind its `>`. */
  end: number;
}

/**
 * The tag at `start`; undefined when the `<` is a sign of the text (`2 < 3`, `x<y and z>w`, `<<<SALE>>>`, `<ABS>`),
 * `unclosed` when no `>` follows in the whole text. What has attributes is a tag whatever its name, since a browser
 * would follow them.
 */
export function tagAt(text: string, start: number): Tag | 'unclosed' | undefined {
  TAG_NAME.lastIndex = start;
  const match = TAG_NAME.exec(text);
  if (match === null) return undefined;
  const [written, slash, spelled = ''] = match;
  const close = endOfTag(text, start + written.length);
  if (close === 'unclosed' || close === undefined) return close;
  const name = spelled.toLowerCase();
  const inside = text.slice(start + written.length, close);
  if (slash === '' && !isMarkup(name, inside)) return undefined;
  return { name, opens: slash === '' && !inside.endsWith('/'), end: close + 1 };
}

function isMarkup(name: string, inside: string): boolean {
  if (inside.includes('=') || /^[:/]/.test(inside) || inside.endsWith('/')) return true;
  // `a < b` without the blanks: of one letter only `<b>` itself is sure to be meant.
  if (name.length === 1 && inside.trim() !== '') return false;
  return BLOCK_TAGS.has(name) || HIDDEN_TAGS.has(name) || OTHER_TAGS.has(name);
}

/** Where its `>` stands, leaving out those in quoted values; undefined where another `<` or a quote shows it is none. */
function endOfTag(text: string, from: number): number | 'unclosed' | undefined {
  let quote = '';
  let firstClose: number | undefined;
  const followed = Math.min(text.length, from + LONGEST_FOLLOWED);
  for (let at = from; at < followed; at++) {
    const sign = text.charAt(at);
    if (sign === '>') {
      if (quote === '') return at;
      firstClose ??= at;
    } else if (sign === '"' || sign === "'") {
      if (quote === '') quote = sign;
      else if (quote === sign) quote = '';
    } else if (sign === '<' && quote === '') {
      return firstClose;
    }
  }
  if (firstClose !== undefined) return firstClose;
  const close = text.indexOf('>', followed);
  return close < 0 ? 'unclosed' : close;
}

function namesOf(...lines: string[]): ReadonlySet<string> {
  return new Set(lines.join(' ').split(' '));
}
