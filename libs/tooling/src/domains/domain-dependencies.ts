import type {
  DomainSecrets,
  RouteDependencies as KitRouteDependencies,
  TaskDependencies as KitTaskDependencies,
} from '#libs/kit';
import type { TaskOrders } from './task-orders.js';

/** Dependencies that every domain gets. `manager` gives access to the process's database. */
export interface DomainDependencies<Manager> {
  readonly manager: Manager;
}

/** Additional dependencies of a domain's routes. */
export interface RouteDependencies<Manager>
  extends DomainDependencies<Manager>, Pick<KitRouteDependencies, 'mayCall'> {
  readonly tasks: TaskOrders<Manager>;
  readonly secrets: DomainSecrets<Manager>;
}

/** Additional dependencies of a domain's tasks. */
export interface TaskDependencies<Manager>
  extends DomainDependencies<Manager>, Pick<KitTaskDependencies, 'fetchFor'> {
  readonly secrets: Pick<DomainSecrets<Manager>, 'read'>;
}

/** Additional dependencies of a domain's tools. */
export interface ToolDependencies<Manager> extends DomainDependencies<Manager> {
  /**
   * Set only in processes that run tools. Each request has its own connection, so that one broken connection does not
   * affect another request.
   */
  readonly running?: Pick<TaskDependencies<Manager>, 'secrets' | 'fetchFor'>;
}
