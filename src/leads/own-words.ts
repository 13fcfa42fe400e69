import type { AttemptOutcome } from '../adapters/crm-adapter.ts';

/** A character that no server says, in place of all that one said. */
const SILENCE = '\u{10fffd}';

/**
 * The begin of a reason that is in the adapter's own words: what it says as well of the same outcome when the server's
 * words are taken out of it. Of an adapter that knows neither the lead nor what the server said, nothing can be the
 * customer's. Ends with a blank, or is the whole reason.
 *
 * @param reasonFor what the adapter says of an outcome
 */
export function ownWords(
  reason: string,
  outcome: AttemptOutcome,
  reasonFor: (outcome: AttemptOutcome) => string,
): string {
  if (JSON.stringify(outcome).includes(SILENCE)) return '';
  const other = reasonFor(silenced(outcome));
  if (other === reason) return reason;
  let length = 0;
  while (length < reason.length && reason[length] === other[length]) length += 1;
  return reason.slice(0, reason.lastIndexOf(' ', length - 1) + 1);
}

/** The same outcome of a server that said nothing. What is told by numbers and names of ours stays. */
function silenced(outcome: AttemptOutcome): AttemptOutcome {
  const error = outcome.error === undefined ? {} : { error: SILENCE };
  switch (outcome.kind) {
    case 'email':
      return { ...outcome, ...error, ...(outcome.response === undefined ? {} : { response: SILENCE }) };
    case 'http':
      return { ...outcome, ...error, ...(outcome.body === undefined ? {} : { body: SILENCE }), headers: {} };
    case 'file':
    case 'sftp':
      return { ...outcome, ...error, ...(outcome.path === undefined ? {} : { path: SILENCE }) };
  }
}
