import type { DataSource, EntityManager } from 'typeorm';
import { BatchExecutor, Linger, type BatchAnswer } from '#libs/concurrency';
import {
  AcceptanceStore,
  type Acceptance,
  type Assigner,
  type EarlierAcceptance,
  type Submission,
} from '#libs/executions';
import { AppError, systemClock, systemTimers } from '#libs/kernel';
import { hasDoneNothing } from '../database-failure.js';
import { queryRows } from '../sql.js';
import {
  acceptMany,
  acceptOne,
  findOutdated,
  isIndependent,
  NOTHING_AT_ONCE,
  toAcceptedRow,
  type DispatchLimits,
  type Statement,
} from './accept-sql.js';
import type { Assigning } from './assigned-sql.js';
import { findFull, type FullQueue } from './queue-room.js';
import { toExecutionView, type ExecutionViewRow } from './execution-view.mapper.js';

type AcceptedRow = ExecutionViewRow & {
  readonly is_dispatched: boolean;
  /** Token of its claim, if it has taken an offer; absent where none was offered. */
  readonly token?: string | null;
};

/** Slots of workers for new executions. */
export interface OfferedWorkers {
  readonly source: Pick<Assigner, 'offer' | 'settle'>;
  /** Default time from the claim to the deadline, in milliseconds. */
  readonly deadlineMs: number;
}

interface Independent {
  readonly submission: Submission;
  readonly row: string;
}

/** Maximum characters of one statement's rows, because it is parsed as a whole. */
const MAX_CHARACTERS = 1_000_000;
const MAX_FLUSHED = 1_000;
/** Wait of a batch under load, in milliseconds. */
const LINGER_MS = 5;

/**
 * Accepts work in one statement (one transaction, one round trip), shared by simultaneous submissions. The accept does
 * not wait for the disk: all accepts since the last flush share the next one.
 */
export class ExecutionAcceptanceStore extends AcceptanceStore {
  private readonly accepts: BatchExecutor<Independent, Acceptance>;
  private readonly flushes: BatchExecutor<string, undefined>;

  /**
   * @param limits within which an execution counts as sent at the acceptance; default: none does
   * @param offered workers that executions are claimed for as they are accepted; null: none is
   */
  constructor(
    private readonly dataSource: DataSource,
    private readonly limits: DispatchLimits = NOTHING_AT_ONCE,
    private readonly offered: OfferedWorkers | null = null,
  ) {
    super();
    this.accepts = new BatchExecutor<Independent, Acceptance>({
      runTogether: (items) => this.acceptTogether(items),
      runAlone: ({ submission }) => this.acceptAlone(submission),
      mayRunAlone: hasDoneNothing,
      weigh: ({ row }) => row.length,
      mostWeight: MAX_CHARACTERS,
      defer: setImmediate,
      linger: new Linger(LINGER_MS, systemClock, systemTimers),
    });
    this.flushes = new BatchExecutor<string, undefined>({
      runTogether: (ids) => this.flushTogether(ids),
      runAlone: (id) => this.flushAlone(id),
      mayRunAlone: hasDoneNothing,
      mostItems: MAX_FLUSHED,
      defer: setImmediate,
    });
  }

  override async findEarlier(
    submission: Pick<Submission, 'tenantId' | 'idempotency'>,
  ): Promise<EarlierAcceptance | null> {
    return submission.idempotency === null
      ? null
      : findEarlier(this.dataSource.manager, submission.tenantId, submission.idempotency);
  }

  override accept(submission: Submission): Promise<Acceptance> {
    return isIndependent(submission)
      ? this.accepts.call({ submission, row: toAcceptedRow(submission) })
      : this.acceptAlone(submission);
  }

  /** The lock on the session's row serializes these checks. */
  override acceptIfFree(submission: Submission & { readonly sessionId: string }): Promise<Acceptance> {
    return this.dataSource.transaction(async (manager) => {
      const within = async (): Promise<Acceptance> => {
        const { sql, parameters } = acceptOne(submission, NOTHING_AT_ONCE, false);
        const [row] = await queryRows<AcceptedRow>(manager, sql, parameters);
        return row ? toAccepted(row) : findRefusal(manager, submission);
      };
      // Before the session's row, in the lock order of counting accepts: first the queue, then the session.
      await findFull(manager, [submission]);
      const [session] = await queryRows<{ is_active: boolean }>(
        manager,
        `SELECT is_active FROM chat_session WHERE id = $1 AND tenant_id = $2 AND agent_id = $3 FOR UPDATE`,
        [submission.sessionId, submission.tenantId, submission.agentId],
      );
      // A foreign or archived session is refused for that reason, before its unsettled executions are checked.
      if (session?.is_active !== true) return within();
      const unsettled = await queryRows(
        manager,
        `SELECT 1 FROM execution
          WHERE session_id = $1 AND status IN ('queued', 'running', 'requires_action') LIMIT 1`,
        [submission.sessionId],
      );
      if (unsettled.length === 0) return within();
      // A replay is answered as such and not refused because of its own execution.
      const { tenantId, idempotency } = submission;
      const earlier = idempotency === null ? null : await findEarlier(manager, tenantId, idempotency);
      return earlier ?? { kind: 'session_busy' };
    });
  }

  override flush(executionId: string): Promise<void> {
    return this.flushes.call(executionId);
  }

  private async acceptAlone(submission: Submission): Promise<Acceptance> {
    const [row] = await this.ask(1, (assigning) => acceptOne(submission, this.limits, true, assigning));
    return row ? toAccepted(row) : findRefusal(this.dataSource.manager, submission);
  }

  private async acceptTogether(items: readonly Independent[]): Promise<BatchAnswer<Acceptance>[]> {
    const first = firstOfEachKey(items);
    const submissions = first.map(({ submission }) => submission);
    const texts = first.map(({ row }) => row);
    const rows = await this.ask(submissions.length, (assigning) =>
      acceptMany(texts, submissions, this.limits, assigning),
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    const left = items.flatMap(({ submission }) => (byId.has(submission.executionId) ? [] : [submission]));
    // A failed check does not undo accepted submissions.
    const full = await findFull(this.dataSource, left).catch(() => new Map<string, FullQueue>());
    return items.map(({ submission }) => {
      const row = byId.get(submission.executionId);
      if (row) return { kind: 'done', value: toAccepted(row) };
      const of = submission.idempotency === null ? full.get(submission.tenantId) : undefined;
      return of === undefined ? { kind: 'alone' } : { kind: 'done', value: { kind: 'no_room', of } };
    });
  }

  /** Runs an accept of up to `most` executions, with as many slots of workers as there are; those that take one go there. */
  private async ask(
    most: number,
    statementOf: (assigning: Assigning | null) => Statement,
  ): Promise<readonly AcceptedRow[]> {
    const offers = this.offered?.source.offer(most);
    let rows: readonly AcceptedRow[] | null = null;
    try {
      const isOffered = this.offered !== null && offers !== undefined && offers.items.length > 0;
      const { sql, parameters } = statementOf(
        isOffered ? { offers, deadlineMs: this.offered.deadlineMs } : null,
      );
      rows = await queryRows<AcceptedRow>(this.dataSource, sql, parameters);
      return rows;
    } finally {
      // An execution that was claimed by an accept without an answer is found when its lease is over.
      if (offers) this.offered?.source.settle(offers, rows && new Map(rows.flatMap(takenOffer)));
    }
  }

  private async flushTogether(ids: readonly string[]): Promise<BatchAnswer<undefined>[]> {
    const rows = await queryRows<{ id: string }>(this.dataSource, FLUSH_SQL, [ids]);
    const kept = new Set(rows.map(({ id }) => id));
    return ids.map((id) =>
      kept.has(id) ? { kind: 'done', value: undefined } : { kind: 'failed', error: hasBeenLost() },
    );
  }

  private async flushAlone(id: string): Promise<undefined> {
    const [answer] = await this.flushTogether([id]);
    if (answer?.kind === 'failed') throw answer.error;
  }
}

/**
 * Flushes all earlier commits to disk and returns the executions that still exist: a server that crashed since may have
 * lost them, and would flush without them. Looked up one by one, because a cached plan for many ids may scan the whole
 * table; the `ARRAY(SELECT …)` hides their number, so that the planner does not build a new plan each time.
 */
const FLUSH_SQL = `
  WITH flush AS MATERIALIZED (SELECT pg_logical_emit_message(true, 'capstan', '')::text AS place)
  SELECT kept.id, flush.place FROM flush CROSS JOIN unnest(ARRAY(SELECT unnest($1::uuid[]))) AS asked (id)
   CROSS JOIN LATERAL (SELECT id FROM execution WHERE execution.id = asked.id OFFSET 0) kept`;

/** One statement can insert a key only once; further submissions with the same key then find it. */
function firstOfEachKey(items: readonly Independent[]): readonly Independent[] {
  const keys = new Set<string>();
  return items.filter(({ submission: { tenantId, idempotency } }) => {
    if (idempotency === null) return true;
    const key = JSON.stringify([tenantId, idempotency.key]);
    return !keys.has(key) && keys.add(key);
  });
}

/** The client gets the same error as for a broken connection and retries with the same key. */
function hasBeenLost(): AppError {
  return new AppError({
    code: 'DATABASE_UNAVAILABLE',
    kind: 'unavailable',
    message: 'the database has lost what it had accepted; try again later',
    retryable: true,
  });
}

/** The token of the offer that the execution has taken, with its id. */
function takenOffer({ token, id }: AcceptedRow): [string, string][] {
  return typeof token === 'string' ? [[token, id]] : [];
}

/** Says why a submission was not accepted, or that it was accepted before. */
async function findRefusal(manager: EntityManager, submission: Submission): Promise<Acceptance> {
  const { tenantId, idempotency } = submission;
  const earlier = idempotency === null ? null : await findEarlier(manager, tenantId, idempotency);
  if (earlier) return earlier;
  const of = (await findFull(manager, [submission])).get(tenantId);
  if (of !== undefined) return { kind: 'no_room', of };
  if (await isOutdated(manager, submission)) return { kind: 'outdated' };
  if (await isArchived(manager, submission)) return { kind: 'session_archived' };
  // The queue was full but has room now: the client's retry will succeed.
  if (submission.sessionId === null) return { kind: 'no_room', of: 'tenant' };
  return { kind: 'session_not_found' };
}

type Accepted = Extract<Acceptance, { kind: 'accepted' }>;

function toAccepted({ is_dispatched: isDispatched, token, ...row }: AcceptedRow): Accepted {
  const isAssigned = typeof token === 'string';
  return {
    kind: 'accepted',
    view: toExecutionView(isAssigned ? { ...row, ...UNTAKEN } : row),
    isDispatched,
    isAssigned,
  };
}

/** An execution that its worker has not taken is shown as a queued one: no attempt has begun. */
const UNTAKEN = { status: 'queued', started_at: null, deadline_at: null } as const;

async function isOutdated(manager: EntityManager, { agentId, checkedBy }: Submission): Promise<boolean> {
  if (checkedBy === null) return false;
  const { sql, parameters } = findOutdated(agentId, checkedBy);
  return (await queryRows(manager, sql, parameters)).length > 0;
}

/** Whether only the archiving of the session prevents the acceptance. */
async function isArchived(
  manager: EntityManager,
  { tenantId, agentId, sessionId }: Submission,
): Promise<boolean> {
  const rows = await queryRows(
    manager,
    `SELECT 1 FROM chat_session WHERE tenant_id = $1 AND agent_id = $2 AND id = $3 AND NOT is_active`,
    [tenantId, agentId, sessionId],
  );
  return rows.length > 0;
}

async function findEarlier(
  manager: EntityManager,
  tenantId: string,
  { key, requestSha256 }: NonNullable<Submission['idempotency']>,
): Promise<EarlierAcceptance | null> {
  const [known] = await queryRows<{ request_sha256: string; execution_id: string }>(
    manager,
    `SELECT request_sha256, execution_id FROM idempotency_key
      WHERE tenant_id = $1 AND key = $2 AND expires_at >= now()`,
    [tenantId, key],
  );
  if (!known) return null;
  if (known.request_sha256 !== requestSha256) return { kind: 'key_reused' };
  return { kind: 'replayed', executionId: known.execution_id };
}

/** Deletes expired idempotency keys. */
export async function expireIdempotencyKeys(dataSource: DataSource): Promise<void> {
  await queryRows(dataSource, `DELETE FROM idempotency_key WHERE expires_at < now()`);
}
