import { describe, expect, it } from '@jest/globals';
import { isCallableAddress } from './address-policy.js';

const PUBLIC = ['8.8.8.8', '93.184.215.14', '::ffff:8.8.8.8', '2606:4700::1111', '2a00:1450:4001::200e'];
const LOOPBACK = ['127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1'];
const NEVER = [
  ...[
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '100.127.255.255',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
  ],
  ...[
    '192.0.0.192',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.0.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
  ],
  ...['203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
  ...[
    '::',
    '::7f00:1',
    '::a9fe:a9fe',
    '::ffff:10.0.0.1',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
  ],
  ...['100::1', '2001::1', '2001:db8::1', '2002:7f00:1::', '3fff::1', '4000::1', '5f00::1', 'fc00::1'],
  ...[
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    'localhost',
    '',
    '1.2.3',
    '127.0.0.1:80',
  ],
];

describe('isCallableAddress', () => {
  it.each([true, false])('allows public addresses, loopback allowed: %p', (allowLoopback) => {
    expect(PUBLIC.filter((address) => !isCallableAddress(address, { allowLoopback }))).toEqual([]);
  });

  it('allows this machine only where it is asked to', () => {
    expect(LOOPBACK.filter((address) => isCallableAddress(address, { allowLoopback: false }))).toEqual([]);
    expect(LOOPBACK.filter((address) => !isCallableAddress(address, { allowLoopback: true }))).toEqual([]);
  });

  it.each([true, false])('allows nothing else, loopback allowed: %p', (allowLoopback) => {
    expect(NEVER.filter((address) => isCallableAddress(address, { allowLoopback }))).toEqual([]);
  });

  it('allows private networks and this machine where the operator has named the host, and nothing else', () => {
    const policy = { allowLoopback: false, allowPrivate: true };
    const PRIVATE = [
      '10.1.2.3',
      '100.64.0.1',
      '100.127.255.255',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.0.1',
    ];
    const named = [...PRIVATE, '::ffff:10.0.0.1', 'fc00::1', 'fd12::1', ...LOOPBACK];
    expect([...named, ...PUBLIC].filter((address) => !isCallableAddress(address, policy))).toEqual([]);
    const others = NEVER.filter((address) => !named.includes(address));
    expect(others.filter((address) => isCallableAddress(address, policy))).toEqual([]);
  });
});
