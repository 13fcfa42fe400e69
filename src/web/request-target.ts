interface RequestTarget {
  path: string;
  /** Without its question mark; empty when there is none. */
  query: string;
}

/** Takes apart what stands in the request line, the absolute form included (RFC 9112 section 3.2.2). */
export function readTarget(url: string): RequestTarget {
  const local = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '');
  const start = local.indexOf('?');
  return start === -1
    ? { path: local, query: '' }
    : { path: local.slice(0, start), query: local.slice(start + 1) };
}
