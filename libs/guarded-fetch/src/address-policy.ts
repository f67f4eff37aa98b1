import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface AddressPolicy {
  /** For development: this machine may be called. */
  readonly allowLoopback: boolean;
}

/** The only part of IPv6 that is given out; beyond it lie forms such as `::7f00:1` that wrap an IPv4 address. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * May this address be called? Only public unicast ones: nothing internal, link-local, reserved, or wrapped in an
 * IPv6 form of such an address. Decided on the address that is connected to, never on the text of a URL.
 */
export function isCallableAddress(address: string, policy: AddressPolicy): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.process(address);
  const range = parsed.range();
  if (range === 'unicast') return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST);
  return range === 'loopback' && policy.allowLoopback;
}
