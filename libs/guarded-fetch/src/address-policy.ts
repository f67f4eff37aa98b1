import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isPlainHttp } from './redirects.js';

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

/** A host in a private network that tools may call: set by the operator, never by a tenant. */
export interface PrivateHost {
  /** Null for every tenant. */
  readonly tenantId: string | null;
  /** Host name, IPv4 address, or IPv6 address in brackets, in lower case as in URLs. */
  readonly host: string;
  /** Null for every port. */
  readonly port: number | null;
}

/** The target of a connection, in the form of a URL. */
interface CallTarget {
  /** `http:` or `https:`. */
  readonly protocol: string;
  readonly hostname: string;
  /** `''` for the protocol's default port. */
  readonly port: string;
}

/** The entries that apply to a tenant. */
export function privateHostsOf(hosts: readonly PrivateHost[], tenantId: string): readonly PrivateHost[] {
  return hosts.filter((host) => host.tenantId === null || host.tenantId === tenantId);
}

/** Whether the operator permits this host and port. */
export function isPrivateHost(target: CallTarget, hosts: readonly PrivateHost[]): boolean {
  const asked = target.hostname.toLowerCase();
  const port = portOf(target);
  return hosts.some((host) => host.host === asked && (host.port === null || host.port === port));
}

function portOf({ protocol, port }: CallTarget): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}

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
