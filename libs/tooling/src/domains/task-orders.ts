import type { JsonObject } from '#libs/kernel';

/** What is to be done, and for whom. */
export interface OrderedTask {
  /** Random; what the domain's own rows know it by. */
  readonly id: string;
  readonly kind: string;
  readonly tenantId: string;
  readonly data: JsonObject;
}

/** Orders tasks. */
export interface TaskOrders<Manager> {
  /**
   * In the transaction of `manager`, with what the domain writes of it: once that has committed, the task is done whoever
   * dies, or given up after its last try. Throws where `kind` or `data` are of no task.
   */
  order(manager: Manager, task: OrderedTask): Promise<void>;
  /**
   * Makes what waits for another try due at once, of one kind and tenant: what it waits for has changed. In the transaction
   * of `manager`; a try that is under way goes on.
   */
  hasten(manager: Manager, tasks: Pick<OrderedTask, 'kind' | 'tenantId'>): Promise<void>;
}
