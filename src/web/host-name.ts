import { isIP } from 'node:net';

/** The name in a Host header, in lower case, without its port; an IPv6 address in brackets. Undefined for none. */
export function hostNameOf(header: string): string | undefined {
  const host = header.toLowerCase();
  if (!URL.canParse(`http://${host}`)) return undefined;
  const name = host.replace(/:\d*$/, '');
  return name === '' ? undefined : name;
}

/** Whether no page of others can have come under this name: nobody else can make it point anywhere. */
export function isNeverRebound(name: string): boolean {
  return name === 'localhost' || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0;
}
