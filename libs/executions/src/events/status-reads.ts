import { BatchExecutor } from '#libs/concurrency';
import type { Timers } from '#libs/kernel';
import type { ExecutionStatus } from '#libs/payloads';
import type { ExecutionReader } from '../ports/execution-reader.js';

/** Wait that collects status queries into one read, in milliseconds. */
const GATHER_MS = 1_000;
const AT_A_TIME = 1_000;

/**
 * Reads the statuses of followed executions, in case their streams lost the last event. Queries within one second share
 * one read, because delay is acceptable here and load is not.
 */
export class StatusReads {
  private readonly reads: BatchExecutor<string, ExecutionStatus | null>;

  constructor(executions: Pick<ExecutionReader, 'findStatuses'>, timers: Timers) {
    this.reads = new BatchExecutor<string, ExecutionStatus | null>({
      runTogether: async (ids) => {
        const statuses = await executions.findStatuses([...new Set(ids)]);
        return ids.map((id) => ({ kind: 'done', value: statuses.get(id) ?? null }));
      },
      runAlone: async (id) => (await executions.findStatuses([id])).get(id) ?? null,
      mayRunAlone: () => false,
      lanes: 1,
      mostItems: AT_A_TIME,
      defer: (begin) => void timers.after(GATHER_MS, begin),
    });
  }

  /** Returns null when the execution was deleted. Takes about one second. */
  statusOf(executionId: string): Promise<ExecutionStatus | null> {
    return this.reads.call(executionId);
  }
}
