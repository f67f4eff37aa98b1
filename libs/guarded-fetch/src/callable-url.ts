import { isIP } from 'node:net';
import { isCallableAddress } from './address-policy.js';
import { isPrivateHost, privateHostsOf, type PrivateHost } from './private-hosts.js';
import { isPlainHttp } from './redirects.js';

/** The message for a forbidden address, the same on every path that checks one. */
export const REFUSED_ADDRESS_TEXT = 'the address may not be called';

const THIS_MACHINE = /(^|\.)localhost\.?$/;

/**
 * Whether a tenant's URL may be called, judging by its text only: a literal address has to be public unless the
 * operator permits it. A name is not resolved here; its addresses are checked when it is connected to.
 */
export function mayBeCalled(text: string, tenantId: string, privateHosts: readonly PrivateHost[]): boolean {
  const url = URL.parse(text);
  if (url === null || !isPlainHttp(url)) return false;
  const allowPrivate = isPrivateHost(url, privateHostsOf(privateHosts, tenantId));
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) return isCallableAddress(host, { allowLoopback: false, allowPrivate });
  return allowPrivate || !THIS_MACHINE.test(host);
}
