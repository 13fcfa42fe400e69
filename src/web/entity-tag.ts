/**
 * Whether an If-None-Match header names the entity tag (RFC 9110 section 13.1.2: weak comparison, list or `*`).
 * Express would look at Cache-Control of the request as well, and browsers' fetch sets `no-cache` together with
 * If-None-Match: those who ask would never hear 304.
 */
export function namesEntityTag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const known = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return known.includes('*') || known.includes(etag);
}
