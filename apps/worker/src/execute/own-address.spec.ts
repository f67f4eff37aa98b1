import { describe, expect, it } from '@jest/globals';
import { ownAddress } from './own-address.js';

const address = (of: string, family: 'IPv4' | 'IPv6', internal: boolean) => ({
  ...{ address: of, family, internal, netmask: '', mac: '', cidr: null, scopeid: 0 },
});
const INTERFACES = {
  lo: [address('127.0.0.1', 'IPv4', true)],
  eth0: [address('fe80::1', 'IPv6', false), address('10.0.0.7', 'IPv4', false)],
} as Parameters<typeof ownAddress>[2];

describe('the address of a worker', () => {
  it.each([
    ['127.0.0.1', 'http://127.0.0.1:3001'],
    ['::1', 'http://[::1]:3001'],
    ['worker.internal', 'http://worker.internal:3001'],
    ['0.0.0.0', 'http://10.0.0.7:3001'],
    ['::', 'http://10.0.0.7:3001'],
  ])('where it listens on %s is %s', (host, url) => {
    expect(ownAddress(host, 3001, INTERFACES)).toBe(url);
  });

  it('is that of this host alone where the host has no other', () => {
    expect(ownAddress('0.0.0.0', 3001, {})).toBe('http://127.0.0.1:3001');
  });
});
