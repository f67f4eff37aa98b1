import type { DomainSecrets } from './domain-secrets.js';
import type { TaskOrders } from './task-orders.js';

/** What a domain is given: `manager` reaches the database of the process. */
export interface DomainDependencies<Manager> {
  readonly manager: Manager;
}

/** What a route of a domain is given besides. */
export interface RouteDependencies<Manager> extends DomainDependencies<Manager> {
  readonly tasks: TaskOrders<Manager>;
  readonly secrets: DomainSecrets<Manager>;
  /** Whether the tenant may have this URL called, as far as its text says. Where a name leads is judged by the call. */
  readonly mayCall: (tenantId: string, url: string) => boolean;
}

/** What a task of a domain is given besides. */
export interface TaskDependencies<Manager> extends DomainDependencies<Manager> {
  readonly secrets: Pick<DomainSecrets<Manager>, 'read'>;
  /**
   * Calls servers that the tenant has named, and no internal address but those that the operator allows. Follows no
   * redirect. An error has a `code` that begins with `FETCH_NOT_` where the other side has seen nothing.
   */
  readonly fetchFor: (tenantId: string) => typeof fetch;
}

/** What the tools of a domain are given besides. */
export interface ToolDependencies<Manager> extends DomainDependencies<Manager> {
  /**
   * Only where tools are run: a process that lists them has none. Every request has a connection of its own, so that one
   * that ends says nothing of another request.
   */
  readonly running?: Pick<TaskDependencies<Manager>, 'secrets' | 'fetchFor'>;
}
