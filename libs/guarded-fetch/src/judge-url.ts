import { isIP } from 'node:net';
import { isCallableAddress } from './address-policy.js';
import { isPrivateHost, privateHostsOf, type PrivateHost } from './private-hosts.js';
import { isPlainHttp } from './redirects.js';

/** What whoever registered an address reads where nobody may call it: at each door the same. */
export const REFUSED_ADDRESS_TEXT = 'the address may not be called';

const THIS_MACHINE = /(^|\.)localhost\.?$/;

/**
 * Whether a tenant may have this URL called, as far as its text says: a host that is an address has to be public, unless the
 * operator has named it. A name is not looked up: where it leads is judged when it is connected to.
 */
export function mayBeCalled(text: string, tenantId: string, privateHosts: readonly PrivateHost[]): boolean {
  const url = URL.parse(text);
  if (url === null || !isPlainHttp(url)) return false;
  const allowPrivate = isPrivateHost(url, privateHostsOf(privateHosts, tenantId));
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) return isCallableAddress(host, { allowLoopback: false, allowPrivate });
  return allowPrivate || !THIS_MACHINE.test(host);
}
