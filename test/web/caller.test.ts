import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { clientNetwork, isNetwork, networkFinder, readIpAddress } from '../../src/model/ip-network.ts';
import { callerFinder } from '../../src/web/caller.ts';

function callFrom(address: string, headers: Record<string, string> = {}): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: address });
  const request = new IncomingMessage(socket);
  for (const [name, value] of Object.entries(headers)) request.headers[name] = value;
  return request;
}

const PROXIES = ['10.0.0.0/8', '2001:db8:ffff::/48', '127.0.0.1'];
const keyOf = (
  address: string,
  headers: Record<string, string> = {},
  header: 'x-forwarded-for' | 'forwarded' = 'x-forwarded-for',
) => callerFinder(networkFinder(PROXIES), header)(callFrom(address, headers)).key;

describe('a caller', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2::1', '2001:db8:1:2'],
    ['2001:0DB8:0001::9', '2001:db8:1:0'],
    ['2001:db8::', '2001:db8:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['64:ff9b::192.0.2.33', '64:ff9b:0:0'],
    ['::1', '0:0:0:0'],
  ])('at %s is known as %s', (address, key) => {
    expect(keyOf(address)).toBe(key);
  });

  it('is local only when it is on this machine and passes nothing on', () => {
    const find = callerFinder(() => false, 'x-forwarded-for');
    expect(find(callFrom('127.0.0.1')).isLocal).toBe(true);
    expect(find(callFrom('127.9.9.9')).isLocal).toBe(true);
    expect(find(callFrom('::1')).isLocal).toBe(true);
    expect(find(callFrom('::ffff:127.0.0.1')).isLocal).toBe(true);
    expect(find(callFrom('203.0.113.7')).isLocal).toBe(false);
    for (const header of ['x-forwarded-for', 'forwarded']) {
      expect(find(callFrom('127.0.0.1', { [header]: 'x' })).isLocal).toBe(false);
    }
  });
});

describe('X-Forwarded-For', () => {
  it('is believed from nobody but the proxies', () => {
    expect(keyOf('203.0.113.7', { 'x-forwarded-for': '198.51.100.1' })).toBe('203.0.113.7');
    expect(keyOf('10.1.2.3', { 'x-forwarded-for': '198.51.100.1' })).toBe('198.51.100.1');
  });

  it.each([
    ['198.51.100.66, 203.0.113.7', '203.0.113.7'],
    ['198.51.100.66,203.0.113.7 , 10.9.9.9', '203.0.113.7'],
    ['203.0.113.7:4711', '203.0.113.7'],
    ['[2001:db8:1:2::1]:443', '2001:db8:1:2'],
    ['2001:db8:1:2::1', '2001:db8:1:2'],
    ['203.0.113.7, 2001:db8:ffff::1', '203.0.113.7'],
    ['203.0.113.7, unknown', '10.1.2.3'],
    ['203.0.113.7, ', '10.1.2.3'],
    ['10.0.0.1, 10.0.0.2', '10.0.0.1'],
    [`203.0.113.7, ${Array(50).fill('10.0.0.2').join(', ')}`, '10.0.0.2'],
  ])('%j is read from the right: %s', (list, key) => {
    expect(keyOf('10.1.2.3', { 'x-forwarded-for': list })).toBe(key);
  });

  it('never makes a caller local', () => {
    const find = callerFinder(networkFinder(PROXIES), 'x-forwarded-for');
    expect(find(callFrom('10.1.2.3', { 'x-forwarded-for': '127.0.0.1' }))).toMatchObject({ isLocal: false });
  });
});

describe('Forwarded', () => {
  it.each([
    ['for=203.0.113.7', '203.0.113.7'],
    ['for=198.51.100.66, For="203.0.113.7:4711";proto=https;by=10.0.0.1', '203.0.113.7'],
    ['proto=https; for="[2001:db8:1:2::1]:443"', '2001:db8:1:2'],
    ['for=203.0.113.7, for=10.0.0.9', '203.0.113.7'],
    ['for=203.0.113.7, for=_hidden', '10.1.2.3'],
    ['proto=https', '10.1.2.3'],
  ])('%j is read where the settings name it: %s', (value, key) => {
    expect(keyOf('10.1.2.3', { forwarded: value, 'x-forwarded-for': '198.51.100.1' }, 'forwarded')).toBe(key);
  });

  it('is not read where they do not, as a caller may have written it', () => {
    expect(keyOf('10.1.2.3', { forwarded: 'for=198.51.100.1' })).toBe('10.1.2.3');
  });
});

describe('networks', () => {
  it.each(['10.0.0.5', '10.0.0.0/8', '0.0.0.0/0', '2001:db8::/32', '::1', '::1/128'])('%s is one', (text) => {
    expect(isNetwork(text)).toBe(true);
  });

  it.each(['10.0.0', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '::1/129', 'proxy', ''])(
    '%j is none',
    (text) => {
      expect(isNetwork(text)).toBe(false);
    },
  );

  it('hold what lies in them', () => {
    const find = networkFinder(['10.0.0.0/8', '192.0.2.1', '2001:db8::/32']);
    expect(['10.255.0.1', '192.0.2.1', '2001:db8:9::1'].map(find)).toEqual([true, true, true]);
    expect(['11.0.0.1', '192.0.2.2', '2001:db9::1'].map(find)).toEqual([false, false, false]);
    expect(readIpAddress('no address')).toBeUndefined();
    expect(clientNetwork('192.0.2.1')).toBe('192.0.2.1');
  });
});
