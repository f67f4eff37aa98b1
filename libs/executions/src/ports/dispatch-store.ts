import type { DueSource } from '../dispatch/dispatcher.js';

export interface DispatchOptions {
  /** Maximum jobs waiting in the queue; a short queue keeps the order fair and the store authoritative. */
  readonly queueTarget: number;
  /** Time after which an unclaimed job counts as lost and is sent again, in milliseconds. */
  readonly redispatchAfterMs: number;
  /** Maximum executions of one tenant that are sent or running. */
  readonly tenantInFlightCap: number;
  /** Share of the queue (0 < share ≤ 1) that one tenant's jobs may take. */
  readonly tenantQueueShare: number;
  /** Share of all slots (0 < share ≤ 1) that one tenant may hold or be sent for while a tenant with fewer waits. */
  readonly tenantSlotShare: number;
}

export interface DispatchedExecution {
  readonly executionId: string;
}

/** Selects executions that can run now. The reconciler repeats the same selection periodically. */
export abstract class DispatchStore implements Pick<DueSource<DispatchedExecution>, 'requeue'> {
  /** Marks the selected executions as sent and returns them; the caller sends their jobs. Safe for concurrent callers. */
  abstract take(options: DispatchOptions): Promise<readonly DispatchedExecution[]>;
  /** Makes executions due again at once after their jobs could not be sent. */
  abstract requeue(due: readonly DispatchedExecution[]): Promise<void>;
}
