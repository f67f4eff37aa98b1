import type { DueSource } from '../dispatch/dispatcher.js';

export interface DispatchOptions {
  /** How many jobs may wait in the queue; a short queue keeps the order fair and the truth in the store. */
  readonly queueTarget: number;
  /** A job that nobody claimed for so long is taken for lost and sent again. */
  readonly redispatchAfterMs: number;
  /** Executions of one tenant that may be sent or running at once. */
  readonly tenantInFlightCap: number;
  /** How much of the queue, 0 < share ≤ 1, one tenant's jobs may take. */
  readonly tenantQueueShare: number;
  /**
   * How much of all places, 0 < share ≤ 1, one tenant may hold, and be sent for, while another one waits that holds
   * less.
   */
  readonly tenantSlotShare: number;
}

export interface DispatchedExecution {
  readonly executionId: string;
}

/** Selects what can run now. The reconciler is this same selection, repeated. */
export abstract class DispatchStore implements Pick<DueSource<DispatchedExecution>, 'requeue'> {
  /** Marks the selected executions as sent and answers them; the caller sends their jobs. Any number may do so at once. */
  abstract take(options: DispatchOptions): Promise<readonly DispatchedExecution[]>;
  /** Their jobs could not be sent: they are due at once again. */
  abstract requeue(due: readonly DispatchedExecution[]): Promise<void>;
}
