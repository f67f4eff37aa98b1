import type { DataSource } from 'typeorm';
import { BatchExecutor, type BatchAnswer } from '#libs/concurrency';
import { AssignmentStore, type Assignment, type ClaimResult } from '#libs/executions';
import { queryRows } from '../sql.js';
import { hasDoneNothing } from '../database-failure.js';
import { REQUEUE_SQL, TAKE_SQL } from './assigned-sql.js';
import { toClaimResult, type ClaimRow } from './claim-row.js';

interface Worker {
  readonly workerId: string;
  readonly leaseMs: number;
}

interface TakeCall extends Worker {
  readonly assignment: Assignment;
}

/** Assignments in PostgreSQL; what is taken at the same time shares a statement. */
export class ExecutionAssignmentStore extends AssignmentStore {
  private readonly takes = new BatchExecutor<TakeCall, ClaimResult>({
    runTogether: (calls) => this.takeTogether(calls),
    runAlone: async (call) => {
      const [answer] = await this.takeTogether([call]);
      if (answer?.kind === 'done') return answer.value;
      throw answer?.kind === 'failed' ? answer.error : new Error('no answer to a take');
    },
    // An execution that cannot be read fails no other.
    mayRunAlone: hasDoneNothing,
    defer: setImmediate,
  });

  constructor(private readonly dataSource: DataSource) {
    super();
  }

  override take(assignment: Assignment, { workerId, leaseMs }: Worker): Promise<ClaimResult> {
    return this.takes.call({ assignment, workerId, leaseMs });
  }

  override async requeue(assignments: readonly Assignment[]): Promise<number> {
    const rows = await queryRows(this.dataSource, REQUEUE_SQL, [
      assignments.map(({ executionId }) => executionId),
      assignments.map(({ token }) => token),
    ]);
    return rows.length;
  }

  /** All calls are of one worker, which this process is. */
  private async takeTogether(calls: readonly TakeCall[]): Promise<BatchAnswer<ClaimResult>[]> {
    const [first] = calls;
    const rows = await queryRows<ClaimRow>(this.dataSource, TAKE_SQL, [
      calls.map(({ assignment }) => assignment.executionId),
      calls.map(({ assignment }) => assignment.token),
      ...[first?.workerId, first?.leaseMs],
    ]);
    const byId = new Map(rows.map((row) => [row.asked_id, row]));
    return calls.map(({ assignment }) => ({
      kind: 'done',
      value: toClaimResult(byId.get(assignment.executionId)),
    }));
  }
}
