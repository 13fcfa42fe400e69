/** What a person may read of anything that was thrown. */
export function faultText(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault);
}
