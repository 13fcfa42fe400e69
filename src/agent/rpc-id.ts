export type RpcId = string | number | null;

/** A number with a fraction or an exponent, or what looks like one inside a text. */
const NO_PLAIN_INTEGER = /[:,[\s]-?\d+[.eE]/;

/**
 * Whether the `id` that JSON.parse has read from `text` can be echoed. A number that was rounded cannot: the caller
 * would get the answer to another id.
 */
export function isRpcId(id: unknown, text: string): id is RpcId {
  if (typeof id !== 'number') return id === null || typeof id === 'string';
  if (!Number.isFinite(id) || Math.abs(id) >= 2 ** 53) return false;
  // Looking closer takes a second reading, and nearly all ids count calls.
  return !NO_PLAIN_INTEGER.test(text) || isExact(id, text);
}

function isExact(id: number, text: string): boolean {
  const written = idAsWritten(text);
  return written !== undefined && decimal(written) === decimal(String(id));
}

/** How the number at `id` of the outermost object stands in the text. */
function idAsWritten(text: string): string | undefined {
  const written = new Map<unknown, string | undefined>();
  let outermost: unknown;
  function note(this: unknown, key: string, value: unknown, context?: { source?: string }): unknown {
    if (key === 'id') written.set(this, context?.source);
    if (key === '') outermost = value;
    return value;
  }
  try {
    JSON.parse(text, note);
  } catch {
    // Nested deeper than a reading of this kind goes.
    return undefined;
  }
  return written.get(outermost);
}

/** Equal for two ways to write one number: its digits without zeros at the ends, and where the point stands. */
function decimal(number: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(number) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const scale = Number(exponent) - fraction.length + (digits.length - significant.length);
  return `${sign}${significant}e${scale}`;
}
