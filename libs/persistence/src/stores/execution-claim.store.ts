import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import type { ExecuteRequest } from '#libs/payloads';
import { queryRows } from '../sql.js';

export interface ClaimOptions {
  readonly workerId: string;
  readonly leaseMs: number;
  /** From the first claim to the latest end. */
  readonly deadlineMs: number;
  /** So many attempts in a row may end without a word and without a new fact before the execution counts as poisoned. */
  readonly maxLostAttempts: number;
}

export interface Claim {
  readonly executionId: string;
  readonly tenantId: string;
  readonly agentId: number;
  readonly sessionId: string;
  readonly turnNumber: number;
  readonly attempt: number;
  /** How often it was claimed; for reports and the journal. It can recur when the database loses its tail. */
  readonly epoch: number;
  /** Random: names this claim and no other. Whoever writes for the execution has to show it. */
  readonly token: string;
  /** Milliseconds left until the deadline, by the database's clock. */
  readonly remainingMs: number;
  readonly request: Omit<ExecuteRequest, 'session_uuid' | 'metadata' | 'webhook'>;
  /** Somebody wants it to end. */
  readonly isCancelled: boolean;
}

/** What every write of an attempt is fenced by. */
export type ClaimFence = Pick<Claim, 'executionId' | 'token'>;

export type ClaimResult =
  | { readonly kind: 'claimed'; readonly claim: Claim }
  /** Nothing to do now: settled, held by a living worker, or not the head of its session's line. */
  | { readonly kind: 'not_runnable' }
  /** Taken, but only to be ended: its attempts keep killing their workers. */
  | { readonly kind: 'poisoned'; readonly claim: Claim };

interface ClaimRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly agent_id: number;
  readonly session_id: string;
  readonly turn_number: number;
  readonly attempt: number;
  readonly epoch: number;
  readonly claim_token: string;
  readonly lost_attempts: number;
  readonly remaining_ms: string;
  readonly is_cancelled: boolean;
  readonly request: Claim['request'];
}

/** Leases: who may write for an execution, and for how long. */
export class ExecutionClaimStore {
  constructor(private readonly dataSource: Pick<DataSource, 'query'>) {}

  /**
   * One statement raises attempt and epoch, draws a token and takes the lease. Only the head of a session can be claimed, so one
   * session runs one execution at a time and in order (S4-3). An attempt that is found with an expired lease is lost; those
   * before it are forgiven when it got anywhere, for it is not the execution that stops its workers then.
   *
   * @param token random; whoever gives it can give back a claim of which no answer came
   */
  async claim(
    executionId: string,
    options: ClaimOptions,
    token: string = randomUUID(),
  ): Promise<ClaimResult> {
    const [row] = await queryRows<ClaimRow>(this.dataSource, CLAIM_SQL, [
      executionId,
      options.workerId,
      options.leaseMs,
      options.deadlineMs,
      token,
    ]);
    if (!row) return { kind: 'not_runnable' };
    const claim = toClaim(row);
    return row.lost_attempts >= options.maxLostAttempts
      ? { kind: 'poisoned', claim }
      : { kind: 'claimed', claim };
  }

  /** Renews leases for another `leaseMs`, in one statement. Answers the tokens of those that are still ours. */
  async renew(claims: readonly ClaimFence[], leaseMs: number): Promise<ReadonlySet<string>> {
    const rows = await queryRows<{ token: string }>(
      this.dataSource,
      `UPDATE execution e SET lease_expires_at = now() + $3 * interval '1 millisecond'
         FROM unnest($1::uuid[], $2::uuid[]) AS held (id, token)
        WHERE e.id = held.id AND e.claim_token = held.token AND e.status = 'running' RETURNING held.token`,
      [claims.map((claim) => claim.executionId), claims.map((claim) => claim.token), leaseMs],
    );
    return new Set(rows.map((row) => row.token));
  }

  /** Whether nobody has claimed it since, however it stands with the lease. */
  async isCurrent({ executionId, token }: ClaimFence): Promise<boolean> {
    const rows = await queryRows(
      this.dataSource,
      `SELECT 1 FROM execution WHERE id = $1 AND claim_token = $2`,
      [executionId, token],
    );
    return rows.length > 0;
  }

  /**
   * Back into the line for somebody who can do more with it, or at a better time; not counted as a lost attempt. It counts
   * as just sent, so that it is not due again at once.
   */
  async leaveToOthers({ executionId, token }: ClaimFence): Promise<void> {
    await queryRows(
      this.dataSource,
      `UPDATE execution SET status = 'queued', lease_owner = NULL, lease_expires_at = NULL, dispatched_at = now()
        WHERE id = $1 AND claim_token = $2 AND status = 'running' RETURNING id`,
      [executionId, token],
    );
  }

  /** Back into the line, as the next one to run; not counted as a lost attempt. */
  async giveBack({ executionId, token }: ClaimFence): Promise<boolean> {
    const rows = await queryRows(
      this.dataSource,
      `UPDATE execution SET status = 'queued', lease_owner = NULL, lease_expires_at = NULL, dispatched_at = NULL
        WHERE id = $1 AND claim_token = $2 AND status = 'running' RETURNING id`,
      [executionId, token],
    );
    return rows.length > 0;
  }
}

const CLAIM_SQL = `
  UPDATE execution e
     SET status = 'running', attempt = attempt + 1, epoch = epoch + 1, claim_token = $5,
         lost_attempts = CASE WHEN status <> 'running' THEN lost_attempts
                              WHEN EXISTS (SELECT 1 FROM journal_entry fact
                                            WHERE fact.execution_id = e.id AND fact.epoch = e.epoch) THEN 1
                              ELSE lost_attempts + 1 END,
         lease_owner = $2, lease_expires_at = now() + $3 * interval '1 millisecond', dispatched_at = NULL,
         started_at = coalesce(started_at, now()),
         deadline_at = coalesce(deadline_at, now() + $4 * interval '1 millisecond')
   WHERE e.id = $1
     AND (e.status = 'queued' OR (e.status = 'running' AND e.lease_expires_at < now()))
     AND NOT EXISTS (
       SELECT 1 FROM execution earlier
        WHERE earlier.session_id = e.session_id AND earlier.turn_number < e.turn_number
          AND earlier.status IN ('queued', 'running', 'requires_action'))
  RETURNING e.id, e.tenant_id, e.agent_id, e.session_id, e.turn_number, e.attempt, e.epoch, e.claim_token, e.lost_attempts, e.request,
            extract(epoch FROM e.deadline_at - now()) * 1000 AS remaining_ms, e.cancel_requested_at IS NOT NULL AS is_cancelled`;

function toClaim(row: ClaimRow): Claim {
  return {
    executionId: row.id,
    tenantId: row.tenant_id,
    agentId: row.agent_id,
    sessionId: row.session_id,
    turnNumber: row.turn_number,
    attempt: row.attempt,
    epoch: row.epoch,
    token: row.claim_token,
    remainingMs: Number(row.remaining_ms),
    request: row.request,
    isCancelled: row.is_cancelled,
  };
}
