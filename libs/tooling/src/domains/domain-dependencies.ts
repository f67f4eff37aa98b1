/** What a domain is given: `manager` reaches the database of the process. */
export interface DomainDependencies<Manager> {
  readonly manager: Manager;
}

/** What the tools of a domain are given besides. */
export interface ToolDependencies<Manager> extends DomainDependencies<Manager> {
  /**
   * Calls servers that the tenant has named, and no internal address but those that the operator allows. Follows no
   * redirect; every request has a connection of its own, so that a connection which ends says nothing of another request.
   * An error has a `code` that begins with `FETCH_NOT_` where the other side has seen nothing. Only where tools are run:
   * a process that lists them has none.
   */
  readonly fetchFor?: (tenantId: string) => typeof fetch;
}
