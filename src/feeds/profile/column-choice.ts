/** `Prices/Price[@kind=asking]`: of elements that stand several times, those beside which it says so. */
export interface ColumnChoice {
  /** Where the values stand: `Prices/Price`. */
  path: string;
  /** Where it stands which of them is which: `Prices/Price/@kind`. */
  by: string;
  wanted: string;
}

const CHOICE = /^([^[\]*]+)\[\s*(@?[^[\]=/*\s]+)\s*=\s*([^[\]*]*[^[\]*\s])\s*\]((?:\/[^[\]*]+)?)$/;

/** Undefined for a name that chooses nothing, `image[0].url` among them. */
export function columnChoice(name: string): ColumnChoice | undefined {
  if (!name.includes('=')) return undefined;
  const match = CHOICE.exec(name);
  if (match === null) return undefined;
  const [, before = '', by = '', wanted = '', behind = ''] = match;
  return {
    path: `${before}${behind}`,
    by: `${before}/${by}`,
    wanted: wanted.replace(/^(["'])(.*)\1$/, '$2'),
  };
}

/** The column that a name stands for, without the choice within. */
export function chosenColumn(name: string): string {
  return columnChoice(name)?.path ?? name;
}
