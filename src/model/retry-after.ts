const LONGEST_WAIT_MS = 24 * 60 * 60_000;

/**
 * The wait that an HTTP answer asks for: Retry-After in seconds, or as a time, which is read by the server's own clock in
 * Date (RFC 9110 section 10.2.3). At most a day; undefined when it says nothing that can be understood.
 *
 * @param headers names in lower case
 */
export function retryAfterOf(headers: Readonly<Record<string, string>>): number | undefined {
  const text = headers['retry-after']?.trim() ?? '';
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.parse(headers.date ?? '');
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), LONGEST_WAIT_MS);
}
