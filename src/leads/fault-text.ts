const MAX_CHARACTERS = 1000;

/** What Node advises its own users; here the setting is another one. */
const NODE_ADVICE = /; if the root CA is installed locally, try running Node\.js with --use-system-ca/;

/** What a person may read of anything that was thrown; bounded, as some messages quote the whole input. */
export function faultText(fault: unknown): string {
  const text = fault instanceof Error ? fault.message : String(fault);
  return text.replace(NODE_ADVICE, '').slice(0, MAX_CHARACTERS);
}
