/** A host that tools may call although it stands in a private network: the operator says so, never a tenant. */
export interface PrivateHost {
  /** Null: for every tenant. */
  readonly tenantId: string | null;
  /** As URLs write it, in lower case: a name, an IPv4 address, or an IPv6 address in brackets. */
  readonly host: string;
  /** Null: every port of it. */
  readonly port: number | null;
}

/** What is connected to, as a URL says it. */
export interface CallTarget {
  /** `http:` or `https:`. */
  readonly protocol: string;
  readonly hostname: string;
  /** `''` for that of the protocol. */
  readonly port: string;
}

/** The entries that hold for one tenant. */
export function privateHostsOf(hosts: readonly PrivateHost[], tenantId: string): readonly PrivateHost[] {
  return hosts.filter((host) => host.tenantId === null || host.tenantId === tenantId);
}

/** Whether the operator has named just this host and port. */
export function isPrivateHost(target: CallTarget, hosts: readonly PrivateHost[]): boolean {
  const asked = target.hostname.toLowerCase();
  const port = portOf(target);
  return hosts.some((host) => host.host === asked && (host.port === null || host.port === port));
}

function portOf({ protocol, port }: CallTarget): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}
