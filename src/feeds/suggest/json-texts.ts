/** Longer cells, deeper ones and those of more members are no nested values of a vehicle. */
const LONGEST_CELL = 64_000;
const DEEPEST = 4;
const MOST_PATHS = 60;

/**
 * The texts of a cell that holds a JSON object, or a list of them, by their path within it: `value`, `address/city`.
 * Empty for any other cell. A profile names them as column/path.
 */
export function jsonTextsByPath(cell: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const text = cell.trim();
  if (text.length > LONGEST_CELL || !/^[[{]/.test(text)) return found;
  try {
    collect(JSON.parse(text), [], found);
  } catch {
    // No JSON: a text that begins with a bracket.
  }
  return found;
}

function collect(value: unknown, steps: readonly string[], found: Map<string, string[]>): void {
  if (Array.isArray(value)) {
    for (const item of value) collect(item, steps, found);
  } else if (typeof value === 'object' && value !== null) {
    if (steps.length === DEEPEST) return;
    for (const [name, member] of Object.entries(value)) {
      if (name !== '' && !name.includes('/')) collect(member, [...steps, name], found);
    }
  } else if (steps.length > 0 && isScalar(value)) {
    const path = steps.join('/');
    const texts = found.get(path);
    if (texts !== undefined) texts.push(String(value));
    else if (found.size < MOST_PATHS) found.set(path, [String(value)]);
  }
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
