import { WATCHED_TOOLS } from '../../programs/watched-tools.js';
import { callKeyOf, scopeOpenedBy } from '../ledgers/call-key.js';
import type { ChaosWorld, PlannedTurn, TimeSpan } from '../ledgers/chaos-world.js';
import type { ClaimRow, ExecutionRow, JournalRow } from '../ledgers/database-ledger.js';
import { pidOf } from './check-leases.js';
import { overlaps } from './time-spans.js';
import { groupBy, SETTLED, type Violation } from './violation.js';

/** Milliseconds between the end of a process and its note here: half a second was seen on two busy cores. */
const NOTED_WITHIN_MS = 2_000;

/**
 * I25: every execution ends as planned despite the faults. The only other endings are an unknown outcome of an unsafe call
 * that ran while its process was gone or frozen, or while no worker could renew a lease, and the deadline of an execution
 * that ends every process: the faults around it delay its attempts. Interrupted calls beside an unsafe one are not repeated
 * once the execution fails, and are unknown as well.
 */
export function checkEndings(world: ChaosWorld): Violation[] {
  const plan = new Map(world.plan.map((turn) => [turn.key, turn]));
  const unknown = new UnknownOutcomes(world);
  return world.database.executions.flatMap((execution): Violation[] => {
    const turn = plan.get(execution.key ?? '');
    if (turn === undefined || !SETTLED.has(execution.status)) return [];
    if (isAsPlanned(execution, turn) || unknown.isExcusable(execution)) return [];
    const how =
      execution.errorCode === null ? execution.status : `${execution.status} ${execution.errorCode}`;
    return [
      {
        invariant: 'I25',
        subject: execution.id,
        detail: `${turn.key} is ${how}; the plan: ${describe(turn)}${unknown.describe(execution)}`,
      },
    ];
  });
}

function isAsPlanned(execution: ExecutionRow, { fate, isCancelled }: PlannedTurn): boolean {
  const { status, errorCode } = execution;
  if (isCancelled && status === 'cancelled') return true;
  switch (fate) {
    case 'completes':
      return status === 'completed';
    case 'poison':
      return (
        (status === 'failed' && errorCode === 'POISONED') ||
        (status === 'incomplete' && hasReachedDeadline(execution))
      );
    case 'refused':
      return status === 'failed' && errorCode === 'SDK_ERROR';
  }
}

function hasReachedDeadline({ deadlineAt, finishedAt }: ExecutionRow): boolean {
  return deadlineAt !== null && finishedAt !== null && finishedAt >= deadlineAt;
}

function describe({ fate, isCancelled }: PlannedTurn): string {
  return isCancelled ? `${fate}, or is cancelled` : fate;
}

/** Decides whether the unknown outcomes of an execution are excused by a fault. */
class UnknownOutcomes {
  private readonly unsafe: ReadonlySet<string>;
  private readonly journals: ReadonlyMap<string, readonly JournalRow[]>;
  private readonly claims: ReadonlyMap<string, readonly ClaimRow[]>;

  constructor(private readonly world: ChaosWorld) {
    this.unsafe = new Set(
      world.database.runSteps.filter((step) => step.toolName === WATCHED_TOOLS.unsafe).map(callKeyOf),
    );
    this.journals = groupBy(world.database.journal, (entry) => entry.executionId);
    this.claims = groupBy(world.database.claims, (claim) => claim.executionId);
  }

  isExcusable({ id, errorCode }: ExecutionRow): boolean {
    if (errorCode !== 'TOOL_OUTCOME_UNKNOWN') return false;
    const unknown = this.unknownIn(id);
    return (
      unknown.some((settled) => this.unsafe.has(callKeyOf(settled))) &&
      unknown.every((settled) => this.isExcused(settled))
    );
  }

  /** The calls that no fault excuses, with process and time span, for a comparison with the timeline. */
  describe({ id, errorCode }: ExecutionRow): string {
    if (errorCode !== 'TOOL_OUTCOME_UNKNOWN') return '';
    const calls = this.unknownIn(id).filter((settled) => !this.isExcused(settled));
    return calls
      .map((settled) => {
        const from = this.startOf(settled)?.createdAt ?? NaN;
        const runner = this.runnerAt(id, from) ?? 'none';
        return `; ${callKeyOf(settled)} with process ${runner} from ${from} to ${settled.createdAt}`;
      })
      .join('');
  }

  private unknownIn(id: string): readonly JournalRow[] {
    const journal = this.journals.get(id) ?? [];
    const opened = new Set(journal.flatMap(({ kind, scope }) => (kind === 'scope_opened' ? [scope] : [])));
    // The call of an agent repeats the unknown outcome of the agent's own loop.
    return journal.filter(
      (entry) =>
        entry.kind === 'tool_call_settled' &&
        entry.outcome === 'outcome_unknown' &&
        !opened.has(scopeOpenedBy(entry)),
    );
  }

  private isExcused(settled: JournalRow): boolean {
    const started = this.startOf(settled);
    if (!started) return false;
    const during = { from: started.createdAt, to: settled.createdAt };
    if (this.world.leaseOutages.some((outage) => overlaps(outage, during))) return true;
    return this.wasRunnerStopped(settled.executionId, during);
  }

  private startOf(settled: JournalRow): JournalRow | undefined {
    const callKey = callKeyOf(settled);
    const isSame = (entry: JournalRow) => callKeyOf(entry) === callKey && entry.sequence < settled.sequence;
    const journal = this.journals.get(settled.executionId) ?? [];
    return journal.findLast((entry) => entry.kind === 'tool_call_started' && isSame(entry));
  }

  private runnerAt(executionId: string, at: number): number | null {
    const claims = this.claims.get(executionId) ?? [];
    return pidOf(claims.findLast((claim) => claim.at <= at)?.owner ?? '');
  }

  /** A freeze of half a lease is enough, because the other half may have passed before. */
  private wasRunnerStopped(executionId: string, during: TimeSpan): boolean {
    const runner = this.runnerAt(executionId, during.from);
    return this.world.stops.some(
      ({ pid, from, to }) =>
        pid === runner &&
        overlaps({ from, to: to ?? Infinity }, { from: during.from, to: during.to + NOTED_WITHIN_MS }) &&
        (to === null || to - from >= this.world.run.leaseMs / 2),
    );
  }
}
