import type { ChaosWorld } from '../ledgers/chaos-world.js';
import { coveredMs } from './time-spans.js';
import { groupBy, SETTLED, type Violation } from './violation.js';

/** After its deadline an execution may wait for a dead worker's lease, and for the next dispatch. */
const DEADLINE_SLACK_MS = 10_000;
/** Milliseconds; a worker polls for cancellations twice a second. */
const CANCEL_SLACK_MS = 5_000;
const CANCELLED_WITHIN_MS = 30_000;
/** The duration of a small execution after the faults, at most, as a multiple of the one before them. */
const CALM_FACTOR = 1.5;
const CALM_SLACK_MS = 1_000;
const RESIDENT_LIMIT_BYTES = 600 * 1024 * 1024;
const DESCRIPTOR_LIMIT = 400;
/** A poison execution ends up to two workers before it is isolated, with the executions that share their process. */
const EXITS_BY_POISON = 2;
/** Milliseconds; a process that is frozen for 4 s holds its transaction open for as long. */
const IDLE_TRANSACTION_LIMIT_MS = 7_000;
/** BullMQ keeps some finished jobs beside the waiting ones. */
const LEFT_IN_QUEUE_LIMIT = 1_000;

/** I18: no secret is stored, logged or sent in clear text. */
export function checkSecrets(world: ChaosWorld): Violation[] {
  return world.leaks.map((leak) => ({ invariant: 'I18', subject: leak, detail: 'a secret in the clear' }));
}

/** I19: no tenant reads the executions of another one. */
export function checkTenants(world: ChaosWorld): Violation[] {
  return world.foreignReads
    .filter((status) => status < 400)
    .map((status) => ({ invariant: 'I19', subject: 'another tenant', detail: `was answered ${status}` }));
}

/** I20: no execution outlives its deadline by much, not counting the time of faults. */
export function checkDeadlines(world: ChaosWorld): Violation[] {
  return world.database.executions.flatMap(({ id, finishedAt, deadlineAt }): Violation[] => {
    if (finishedAt === null || deadlineAt === null || finishedAt <= deadlineAt) return [];
    const disturbedMs = coveredMs(world.disturbances, { from: deadlineAt, to: finishedAt });
    const lateMs = finishedAt - deadlineAt - disturbedMs;
    if (lateMs <= DEADLINE_SLACK_MS + world.run.leaseMs) return [];
    return [
      { invariant: 'I20', subject: id, detail: `ended ${Math.round(lateMs / 1_000)} s after its deadline` },
    ];
  });
}

/**
 * I21: what was cancelled starts no call after the cancellation was seen, none long after it was asked for, and ends soon.
 */
export function checkCancels(world: ChaosWorld): Violation[] {
  const journals = groupBy(world.database.journal, (entry) => entry.executionId);
  const askedAt = new Map(world.cancels.map((cancel) => [cancel.executionId, cancel.acknowledgedAt]));
  const calmMs = (from: number, to: number) => to - from - coveredMs(world.disturbances, { from, to });
  return world.database.executions.flatMap((execution): Violation[] => {
    const broken = (detail: string): Violation[] => [{ invariant: 'I21', subject: execution.id, detail }];
    const journal = journals.get(execution.id) ?? [];
    const seen = journal.findIndex((entry) => entry.kind === 'cancellation_requested');
    const asked = askedAt.get(execution.id) ?? Infinity;
    const late = journal.find(
      (entry, index) =>
        entry.kind === 'tool_call_started' &&
        ((seen >= 0 && index > seen) || calmMs(asked, entry.createdAt) > CANCEL_SLACK_MS),
    );
    if (late) return broken('began a call although it was cancelled');
    const tookMs = calmMs(asked, execution.finishedAt ?? world.run.to);
    if (SETTLED.has(execution.status) && tookMs > CANCELLED_WITHIN_MS + world.run.leaseMs)
      return broken(`ended ${Math.round(tookMs / 1_000)} s after its end was promised`);
    return [];
  });
}

/** I22: after the last fault the backlog drains by itself, and then everything is as quick as before the first. */
export function checkRecovery(world: ChaosWorld): Violation[] {
  const { drainedAfterMs, calm, run } = world;
  const broken = (subject: string, detail: string): Violation => ({ invariant: 'I22', subject, detail });
  const violations = world.neverReady.map((name) =>
    broken(name, 'did not become ready after the last fault'),
  );
  if (drainedAfterMs === null) return [...violations, broken('backlog', 'never drained')];
  if (drainedAfterMs > run.drainLimitMs)
    violations.push(broken('backlog', `drained after ${Math.round(drainedAfterMs / 1_000)} s`));
  const [before, after] = [slowest(calm.beforeMs), slowest(calm.afterMs)];
  if (after > before * CALM_FACTOR + CALM_SLACK_MS)
    violations.push(broken('executions', `take up to ${after} ms, and took ${before} ms before the faults`));
  return violations;
}

/** The slowest of all but the slowest tenth; 0 without times. */
function slowest(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.ceil(times.length * 0.9) - 1] ?? 0;
}

/**
 * Maximum worker exits by poison executions: two each, and one more for each lost attempt with progress, because progress
 * resets the count of losses.
 */
function mostExits({ plan, database: { executions, journal } }: ChaosWorld): number {
  const poison = new Set<string | null>(plan.filter((turn) => turn.fate === 'poison').map(({ key }) => key));
  const forgiven = executions
    .filter(({ key }) => poison.has(key))
    .map(({ id, epoch }) => {
      const further = journal.filter(
        (fact) => fact.executionId === id && fact.kind !== 'model_call_lost' && fact.epoch < epoch,
      );
      return new Set(further.map((fact) => fact.epoch)).size;
    });
  return forgiven.reduce((sum, count) => sum + count, EXITS_BY_POISON * poison.size);
}

/** I23: no process grows without end, no transaction is forgotten, nothing piles up in the queue. */
export function checkResources(world: ChaosWorld): Violation[] {
  const violations: Violation[] = [];
  const broken = (subject: string, detail: string) => violations.push({ invariant: 'I23', subject, detail });
  for (const [name, samples] of groupBy(world.samples, (sample) => sample.name)) {
    const most = Math.max(...samples.map((sample) => sample.residentBytes));
    if (most > RESIDENT_LIMIT_BYTES) broken(name, `took ${Math.round(most / 2 ** 20)} MB of memory`);
    const descriptors = Math.max(...samples.map((sample) => sample.descriptors));
    if (descriptors > DESCRIPTOR_LIMIT) broken(name, `held ${descriptors} files and sockets`);
  }
  const exits = world.unexpectedExits;
  const most = mostExits(world);
  if (exits.length > most)
    broken(exits.join('; '), `${exits.length} ended by themselves; what ends processes may end ${most}`);
  for (const name of world.unresponsiveProcesses) broken('process', name);
  if (world.longestIdleTransactionMs > IDLE_TRANSACTION_LIMIT_MS)
    broken('database', `a transaction was idle for ${Math.round(world.longestIdleTransactionMs)} ms`);
  if (world.leftInQueue > LEFT_IN_QUEUE_LIMIT) broken('queue', `${world.leftInQueue} jobs or keys are left`);
  return violations;
}
