import { BlockList, isIP } from 'node:net';

/** An address, or one with the length of its network behind it: `10.0.0.5`, `10.0.0.0/8`, `2001:db8::/32`. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

/** Tells whether an address lies in one of the networks. Each must be one (`isNetwork`). */
export function networkFinder(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const type = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    list.addSubnet(address, bits === undefined ? (type === 'ipv6' ? 128 : 32) : Number(bits), type);
  }
  return (address) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/** IPv4 in its usual form also where it came as IPv6 (`::ffff:192.0.2.1`); undefined for what is no address. */
export function readIpAddress(text: string): string | undefined {
  const address = text.trim().replace(/%.*$/, '').toLowerCase();
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1] ?? address;
  return isIP(mapped) === 0 ? undefined : mapped;
}

/**
 * What one customer of a provider usually has: the address itself, of IPv6 the first half of it (`2001:db8:0:1`),
 * as whoever has one address there has 2^64 of them.
 */
export function clientNetwork(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  // An IPv4 tail stands for two groups.
  const tailGroups = last.length + (last.at(-1)?.includes('.') ? 1 : 0);
  const gap = tail === undefined ? 0 : 8 - first.length - tailGroups;
  const groups = [...first, ...Array<string>(Math.max(gap, 0)).fill('0'), ...last];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}

/** This machine itself. */
export function isLoopbackAddress(address: string): boolean {
  return address.startsWith('127.') || address === '::1';
}
