import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface AddressPolicy {
  /** Permits loopback addresses, for development. */
  readonly allowLoopback: boolean;
  /** Permits private and loopback addresses, for a host that the operator has listed. */
  readonly allowPrivate?: boolean;
}

/** The only assigned global IPv6 range; outside it are forms like `::7f00:1` that wrap an IPv4 address. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Without link-local addresses, at which clouds serve machine credentials. */
const PRIVATE_RANGES: ReadonlySet<string> = new Set([
  'private',
  'uniqueLocal',
  'carrierGradeNat',
  'loopback',
]);

/** Part of the private IPv6 range at which clouds serve machine credentials. */
const METADATA = ipaddr.IPv6.parseCIDR('fd00:ec2::/32');

/**
 * Whether an address may be called: only public unicast addresses, nothing internal, link-local, reserved, or wrapped
 * in an IPv6 form. Evaluated for the address that is connected to, never for the text of a URL.
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
