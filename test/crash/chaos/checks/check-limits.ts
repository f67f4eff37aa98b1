import type { ChaosWorld } from '../ledgers/chaos-world.js';
import { groupBy, type Violation } from './violation.js';

/** After its deadline an execution may wait for a dead worker's lease, an outage and the next dispatch. */
const DEADLINE_SLACK_MS = 60_000;
/** A worker asks twice a second; an outage of the database may come between. */
const CANCEL_SLACK_MS = 20_000;
/** After the last fault: lost jobs, stalled jobs and leases of the queue, one after the other. */
export const DRAIN_LIMIT_MS = 90_000;
const RESIDENT_LIMIT_BYTES = 700 * 1024 * 1024;
/** A process that is frozen for 4 s holds its transaction for so long, and a moment more on a busy machine. */
const IDLE_TRANSACTION_LIMIT_MS = 10_000;
const LEFT_IN_QUEUE_LIMIT = 2_000;

/** I18: no secret stands anywhere in the clear. */
export function checkSecrets(world: ChaosWorld): Violation[] {
  return world.leaks.map((leak) => ({ invariant: 'I18', subject: leak, detail: 'a secret in the clear' }));
}

/** I19: nobody reads what belongs to another tenant. */
export function checkTenants(world: ChaosWorld): Violation[] {
  return world.foreignReads
    .filter((status) => status < 400)
    .map((status) => ({ invariant: 'I19', subject: 'another tenant', detail: `was answered ${status}` }));
}

/** I20: nothing runs for much longer than its deadline. */
export function checkDeadlines(world: ChaosWorld): Violation[] {
  return world.database.executions.flatMap(({ id, finishedAt, deadlineAt }): Violation[] => {
    if (finishedAt === null || deadlineAt === null) return [];
    const lateMs = finishedAt - deadlineAt;
    if (lateMs <= DEADLINE_SLACK_MS) return [];
    return [
      { invariant: 'I20', subject: id, detail: `ended ${Math.round(lateMs / 1_000)} s after its deadline` },
    ];
  });
}

/** I21: what was cancelled starts no call after the cancellation was seen, and none long after it was asked for. */
export function checkCancels(world: ChaosWorld): Violation[] {
  const journals = groupBy(world.database.journal, (entry) => entry.executionId);
  const askedAt = new Map(world.cancels.map((cancel) => [cancel.executionId, cancel.acknowledgedAt]));
  return world.database.executions.flatMap((execution): Violation[] => {
    const journal = journals.get(execution.id) ?? [];
    const seen = journal.findIndex((entry) => entry.kind === 'cancellation_requested');
    const limit = (askedAt.get(execution.id) ?? Infinity) + CANCEL_SLACK_MS;
    const late = journal.find(
      (entry, index) =>
        entry.kind === 'tool_call_started' && ((seen >= 0 && index > seen) || entry.createdAt > limit),
    );
    if (!late) return [];
    return [{ invariant: 'I21', subject: execution.id, detail: 'began a call although it was cancelled' }];
  });
}

/** I22: after the last fault the backlog drains by itself. */
export function checkRecovery(world: ChaosWorld): Violation[] {
  if (world.drainedAfterMs !== null && world.drainedAfterMs <= DRAIN_LIMIT_MS) return [];
  const detail =
    world.drainedAfterMs === null
      ? 'never drained'
      : `drained after ${Math.round(world.drainedAfterMs / 1_000)} s`;
  return [{ invariant: 'I22', subject: 'backlog', detail }];
}

/** I23: no process grows without end, no transaction is forgotten, nothing piles up in the queue. */
export function checkResources(world: ChaosWorld): Violation[] {
  const violations: Violation[] = [];
  const broken = (subject: string, detail: string) => violations.push({ invariant: 'I23', subject, detail });
  for (const [name, samples] of groupBy(world.samples, (sample) => sample.name)) {
    const most = Math.max(...samples.map((sample) => sample.residentBytes));
    if (most > RESIDENT_LIMIT_BYTES) broken(name, `took ${Math.round(most / 2 ** 20)} MB of memory`);
  }
  for (const exit of world.unexpectedExits) broken(exit, 'ended by itself');
  if (world.longestIdleTransactionMs > IDLE_TRANSACTION_LIMIT_MS)
    broken('database', `a transaction was idle for ${Math.round(world.longestIdleTransactionMs)} ms`);
  if (world.leftInQueue > LEFT_IN_QUEUE_LIMIT) broken('queue', `${world.leftInQueue} jobs or keys are left`);
  return violations;
}
