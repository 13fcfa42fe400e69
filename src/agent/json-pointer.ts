/** RFC 6901, built and read: `/filters/make`, `/parts/0`. */

export function pointerTo(parent: string, key: string | number): string {
  return `${parent}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The same place as a person writes it: `filters.make`, `parts[0]`; the root is `the request`. */
export function describePlace(pointer: string): string {
  if (pointer === '') return 'the request';
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, token) => {
      if (/^\d+$/.test(token)) return `${path}[${token}]`;
      return path === '' ? token : `${path}.${token}`;
    }, '');
}
