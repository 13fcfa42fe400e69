/** What a spreadsheet would run as a formula when the table is opened in one. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** They do nothing in a table but move the cursor of a terminal. Tabs and line breaks stay. */
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/g;

/** One record as RFC 4180 has it; no cell begins like a formula, and none holds other control characters. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(raw: string): string {
  const text = raw.replace(CONTROL, '');
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]|^\s|\s$/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
