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
}
