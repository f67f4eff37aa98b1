import type { JsonObject } from '#libs/kernel';

/** A background task and its tenant. */
export interface OrderedTask {
  /** Random id, which the domain's rows refer to. */
  readonly id: string;
  readonly kind: string;
  readonly tenantId: string;
  readonly data: JsonObject;
}

export interface TaskOrders<Manager> {
  /**
   * Orders a task in the transaction of `manager`, together with the domain's own writes. After the commit the task
   * survives crashes of any process, and is given up only after its last try. Throws for an unknown `kind` or invalid
   * `data`.
   */
  order(manager: Manager, task: OrderedTask): Promise<void>;
  /**
   * Makes tasks of one kind and tenant that wait for a retry due at once, because their obstacle may be gone. Runs in
   * the transaction of `manager`; a running try continues.
   */
  hasten(manager: Manager, tasks: Pick<OrderedTask, 'kind' | 'tenantId'>): Promise<void>;
}
