/** What a spreadsheet would run as a formula when the table is opened in one. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** One record as RFC 4180 has it; no cell begins like a formula. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]|^\s|\s$/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
