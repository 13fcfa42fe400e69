/** On every reply: nothing of ours is to be framed, sniffed or run as a page. */
export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
};

/** The agent is public and knows no cookies, so agents that run in a browser may call it from any page. */
export const CROSS_ORIGIN_HEADERS: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'A2A-Extensions, ETag, Retry-After, WWW-Authenticate, X-Request-Id',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** Answers a browser's question before the call itself. */
export const PREFLIGHT_HEADERS: Readonly<Record<string, string>> = {
  ...CROSS_ORIGIN_HEADERS,
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, OPTIONS',
  'Access-Control-Allow-Headers': 'A2A-Extensions, A2A-Version, Authorization, Content-Type, If-None-Match',
  'Access-Control-Max-Age': '86400',
};
