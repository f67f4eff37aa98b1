import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface AddressPolicy {
  /** For development: this machine may be called. */
  readonly allowLoopback: boolean;
  /** The operator vouches for the host that the address is of: it may stand in a private network, or on this machine. */
  readonly allowPrivate?: boolean;
}

/** The only part of IPv6 that is given out; beyond it lie forms such as `::7f00:1` that wrap an IPv4 address. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Link-local addresses are none: a cloud answers there with the credentials of its machines. */
const PRIVATE_RANGES: ReadonlySet<string> = new Set([
  'private',
  'uniqueLocal',
  'carrierGradeNat',
  'loopback',
]);

/** In the private range of IPv6, and yet where clouds answer with the credentials of their machines. */
const METADATA = ipaddr.IPv6.parseCIDR('fd00:ec2::/32');

/**
 * May this address be called? Only public unicast ones: nothing internal, link-local, reserved, or wrapped in an
 * IPv6 form of such an address. Decided on the address that is connected to, never on the text of a URL.
 */
export function isCallableAddress(address: string, policy: AddressPolicy): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.process(address);
  const range = parsed.range();
  if (range === 'unicast') return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST);
  if (range === 'loopback' && policy.allowLoopback) return true;
  if (policy.allowPrivate !== true || !PRIVATE_RANGES.has(range)) return false;
  return parsed instanceof ipaddr.IPv4 || !parsed.match(METADATA);
}
