/**
 * Column and element names as vendors spell them differ in case, blanks and punctuation
 * (`Stock #`, `stock_no`, `New_x0020__x002F__x0020_Used`). Names are compared after this normalising,
 * exactly and never by substring: a substring match once put "Vin Leads" into the VIN.
 */
export function normaliseColumn(name: string): string {
  return name
    .replace(/^\uFEFF/, '')
    .replace(/_x([0-9a-fA-F]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_.-]+/g, '');
}

/** The same for a path of element names: `Photos/Photo`, `mileage/@unit`. */
export function normaliseColumnPath(path: string): string {
  return path.split('/').map(normaliseColumn).join('/');
}
