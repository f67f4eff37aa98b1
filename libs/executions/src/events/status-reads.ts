import { Combiner } from '#libs/concurrency';
import type { Timers } from '#libs/kernel';
import type { ExecutionStatus } from '#libs/payloads';
import type { ExecutionReader } from '../ports/execution-reader.js';

/** How long a question waits for others, to be asked together with them. */
const GATHER_MS = 1_000;
const AT_A_TIME = 1_000;

/**
 * The statuses of executions that are followed or waited for, in case that their streams have lost how they ended. Nobody
 * is in a hurry here: all that is asked within a second is one read, whatever the number of those who ask.
 */
export class StatusReads {
  private readonly reads: Combiner<string, ExecutionStatus | null>;

  constructor(executions: Pick<ExecutionReader, 'findStatuses'>, timers: Timers) {
    this.reads = new Combiner<string, ExecutionStatus | null>({
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

  /** Null when there is none any more. About a second late. */
  statusOf(executionId: string): Promise<ExecutionStatus | null> {
    return this.reads.call(executionId);
  }
}
