/** How a stock number or vehicle_id is looked up: blanks at the ends and case do not count. Empty = no key. */
export function lookupKey(text: string | null | undefined): string | undefined {
  const key = text?.trim().toUpperCase();
  return key === '' ? undefined : key;
}
