import ipaddr from 'ipaddr.js';

export interface AddressPolicy {
  /** For development: this machine may be called. */
  readonly allowLoopback: boolean;
}

/**
 * May this address be called? Only public unicast ones: nothing internal, link-local, reserved, or wrapped in an
 * IPv6 form of such an address. Decided on the address that is connected to, never on the text of a URL.
 */
export function isCallableAddress(address: string, policy: AddressPolicy): boolean {
  if (!ipaddr.isValid(address)) return false;
  const range = ipaddr.process(address).range();
  return range === 'unicast' || (range === 'loopback' && policy.allowLoopback);
}
