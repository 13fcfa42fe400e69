const MAX_CHARACTERS = 1000;

/** What a person may read of anything that was thrown; bounded, as some messages quote the whole input. */
export function faultText(fault: unknown): string {
  return (fault instanceof Error ? fault.message : String(fault)).slice(0, MAX_CHARACTERS);
}
