import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import {
  ClaimStore,
  type Claim,
  type ClaimFence,
  type ClaimOptions,
  type ClaimResult,
} from '#libs/executions';
import { queryRows } from '../sql.js';
import { CLAIM_SQL } from './claim-sql.js';
import { delayAfterAttemptSql, retryDelaySql } from './due-execution.js';

interface ClaimRow {
  /** Null where nothing was claimed. */
  readonly id: string | null;
  readonly tenant_id: string;
  readonly agent_id: number;
  readonly session_id: string;
  readonly turn_number: number;
  readonly attempt: number;
  readonly epoch: number;
  readonly claim_token: string;
  readonly remaining_ms: string;
  readonly timeout_ms: number;
  readonly claimed_at_ms: string;
  readonly agent_version: number | null;
  readonly created_at: Date;
  readonly started_at: Date;
  readonly metadata: Claim['accepted']['metadata'];
  readonly message_ids: Claim['messageIds'];
  readonly is_cancelled: boolean;
  readonly is_suspect: boolean;
  readonly is_poisoned: boolean;
  readonly follows_lost_attempt: boolean;
  readonly request: Claim['request'];
}

/** Claims in PostgreSQL: each method is one statement. */
export class ExecutionClaimStore extends ClaimStore {
  constructor(private readonly dataSource: Pick<DataSource, 'query'>) {
    super();
  }

  override async claim(
    executionId: string,
    options: ClaimOptions,
    token: string = randomUUID(),
  ): Promise<ClaimResult> {
    const [row] = await queryRows<ClaimRow>(this.dataSource, CLAIM_SQL, [
      executionId,
      options.workerId,
      options.leaseMs,
      options.deadlineMs,
      options.maxIsolatedDeaths,
      options.suspectAfterLosses,
      options.canIsolate,
      options.tenantShare,
      token,
    ]);
    if (!row) return { kind: 'not_runnable' };
    if (row.id === null) return { kind: 'not_now' };
    return { kind: row.is_poisoned ? 'poisoned' : 'claimed', claim: toClaim(row, row.id) };
  }

  override async renew(claims: readonly ClaimFence[], leaseMs: number): Promise<ReadonlySet<string>> {
    const rows = await queryRows<{ token: string }>(
      this.dataSource,
      `UPDATE execution e SET lease_expires_at = now() + $3 * interval '1 millisecond'
         FROM unnest($1::uuid[], $2::uuid[]) AS held (id, token)
        WHERE e.id = held.id AND e.claim_token = held.token AND e.status = 'running' RETURNING held.token`,
      [claims.map((claim) => claim.executionId), claims.map((claim) => claim.token), leaseMs],
    );
    return new Set(rows.map((row) => row.token));
  }

  override async isCurrent({ executionId, token }: ClaimFence): Promise<boolean> {
    const rows = await queryRows(
      this.dataSource,
      `SELECT 1 FROM execution WHERE id = $1 AND claim_token = $2`,
      [executionId, token],
    );
    return rows.length > 0;
  }

  override requeueWithBackoff(claim: ClaimFence): Promise<boolean> {
    return this.requeue(claim, putOffBy(delayAfterAttemptSql('e')));
  }

  override requeueCutOff(claim: ClaimFence): Promise<boolean> {
    return this.requeue(claim, `lost_epoch = epoch, ${putOffBy(delayAfterAttemptSql('e'))}`);
  }

  override async recordIsolatedDeath(
    { executionId, token }: ClaimFence,
    maxIsolatedDeaths: number,
  ): Promise<'requeued' | 'poisoned' | null> {
    const [row] = await queryRows<{ status: string }>(this.dataSource, ISOLATED_DEATH_SQL, [
      executionId,
      token,
      maxIsolatedDeaths,
    ]);
    if (!row) return null;
    return row.status === 'queued' ? 'requeued' : 'poisoned';
  }

  override postpone(claim: ClaimFence, delayMs: number): Promise<boolean> {
    const set = `due_at = now() + $3::float8 * (1 + random() / 4) * interval '1 millisecond'`;
    return this.requeue(claim, set, [delayMs]);
  }

  override release(claim: ClaimFence): Promise<boolean> {
    return this.requeue(claim);
  }

  /** @param set what changes beside; its parameters are `$3` and on */
  private async requeue(
    { executionId, token }: ClaimFence,
    set?: string,
    parameters: readonly unknown[] = [],
  ): Promise<boolean> {
    const rows = await queryRows(
      this.dataSource,
      `UPDATE execution e SET ${[RELEASED, ...(set === undefined ? [] : [set])].join(', ')}
        WHERE id = $1 AND claim_token = $2 AND status = 'running' RETURNING id`,
      [executionId, token, ...parameters],
    );
    return rows.length > 0;
  }
}

const RELEASED = `status = 'queued', lease_owner = NULL, lease_expires_at = NULL, dispatched_at = NULL`;

/** What it has to wait is not its own time. */
const putOffBy = (delay: string): string => `due_at = now() + ${delay}, deadline_at = deadline_at + ${delay}`;

const DELAY_AFTER_DEATH = retryDelaySql('e.isolated_deaths + 1', 'e');

const ISOLATED_DEATH_SQL = `
  UPDATE execution e
     SET isolated_deaths = isolated_deaths + 1, lost_epoch = epoch, status = next.status,
         dispatched_at = CASE next.status WHEN 'running' THEN dispatched_at END,
         lease_owner = CASE next.status WHEN 'running' THEN lease_owner END,
         lease_expires_at = CASE next.status WHEN 'running' THEN lease_expires_at END,
         due_at = CASE next.status WHEN 'queued' THEN now() + ${DELAY_AFTER_DEATH} END,
         deadline_at = CASE next.status WHEN 'queued' THEN deadline_at + ${DELAY_AFTER_DEATH} ELSE deadline_at END
    FROM (SELECT CASE WHEN isolated_deaths + 1 >= $3 THEN 'running' ELSE 'queued' END AS status FROM execution
           WHERE id = $1 AND claim_token = $2) next
   WHERE e.id = $1 AND e.claim_token = $2 AND e.status = 'running' RETURNING e.status`;

function toClaim(row: ClaimRow, executionId: string): Claim {
  return {
    executionId,
    tenantId: row.tenant_id,
    agentId: row.agent_id,
    sessionId: row.session_id,
    turnNumber: row.turn_number,
    attempt: row.attempt,
    epoch: row.epoch,
    token: row.claim_token,
    remainingMs: Number(row.remaining_ms),
    timeoutMs: row.timeout_ms,
    claimedAtMs: Number(row.claimed_at_ms),
    startedAtMs: row.started_at.getTime(),
    accepted: {
      agentVersion: row.agent_version,
      createdAtMs: row.created_at.getTime(),
      metadata: row.metadata,
    },
    messageIds: row.message_ids,
    request: row.request,
    isCancelled: row.is_cancelled,
    isSuspect: row.is_suspect,
    followsLostAttempt: row.follows_lost_attempt,
  };
}
