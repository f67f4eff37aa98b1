import type { DomainSecrets } from './domain-secrets.js';
import type { TaskOrders } from './task-orders.js';

/** Dependencies that every domain gets. `manager` gives access to the process's database. */
export interface DomainDependencies<Manager> {
  readonly manager: Manager;
}

/** Additional dependencies of a domain's routes. */
export interface RouteDependencies<Manager> extends DomainDependencies<Manager> {
  readonly tasks: TaskOrders<Manager>;
  readonly secrets: DomainSecrets<Manager>;
  /**
   * True if the tenant may call this URL, judged by its text alone. The call itself checks the addresses that the host
   * name resolves to.
   */
  readonly mayCall: (tenantId: string, url: string) => boolean;
}

/** Additional dependencies of a domain's tasks. */
export interface TaskDependencies<Manager> extends DomainDependencies<Manager> {
  readonly secrets: Pick<DomainSecrets<Manager>, 'read'>;
  /**
   * Makes a `fetch` for servers named by the tenant: it reaches internal addresses only if the operator allows them,
   * and follows no redirects. An error's `code` begins with `FETCH_NOT_` if no request was sent.
   */
  readonly fetchFor: (tenantId: string) => typeof fetch;
}

/** Additional dependencies of a domain's tools. */
export interface ToolDependencies<Manager> extends DomainDependencies<Manager> {
  /**
   * Set only in processes that run tools. Each request has its own connection, so that one broken connection does not
   * affect another request.
   */
  readonly running?: Pick<TaskDependencies<Manager>, 'secrets' | 'fetchFor'>;
}
