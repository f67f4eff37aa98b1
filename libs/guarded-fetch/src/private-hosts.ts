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
export interface CallTarget {
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
