import ipaddr from 'ipaddr.js';

/** Of an IPv6 address these many bits belong to one customer of a network; the rest is theirs to vary. */
const IPV6_NETWORK_BITS = 64;

/**
 * Whose requests count together by address; null for this machine itself, behind which a reverse proxy may hide
 * everybody.
 */
export function addressSubject(address: string): string | null {
  if (!ipaddr.isValid(address)) return null;
  const parsed = ipaddr.process(address);
  if (parsed.range() === 'loopback') return null;
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${IPV6_NETWORK_BITS}`).toString();
}
