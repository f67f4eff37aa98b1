import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import type { ExecuteRequest } from '#libs/payloads';
import { queryRows } from '../sql.js';
import { CLAIM_SQL } from './claim-sql.js';

export interface ClaimOptions {
  readonly workerId: string;
  readonly leaseMs: number;
  /** From the first claim to the latest end, where neither request nor agent says (`timeout_seconds`). */
  readonly deadlineMs: number;
  /** So many attempts in a row that ended without a word and without a new fact make an execution a suspect. */
  readonly suspectAfterLosses: number;
  /** So many deaths in isolation make it poisoned. */
  readonly maxIsolatedDeaths: number;
  /** Whether the caller can isolate a suspect; one that it cannot isolate is not given to it. */
  readonly canIsolate: boolean;
  /** How much of all places, 0 < share ≤ 1, a tenant may hold while another one waits that holds less. */
  readonly tenantShare: number;
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
  /** When it was claimed, in milliseconds since the epoch, by the database's clock. */
  readonly claimedAtMs: number;
  readonly request: Omit<ExecuteRequest, 'session_uuid' | 'metadata' | 'webhook'>;
  /** Somebody wants it to end. */
  readonly isCancelled: boolean;
  /** Its workers keep ending without a word, perhaps because of it: to be run where it can harm nothing else. */
  readonly isSuspect: boolean;
  /** An attempt before it was lost, and nobody has recorded since what it may have asked of a model. */
  readonly followsLostAttempt: boolean;
}

/** What every write of an attempt is fenced by. */
export type ClaimFence = Pick<Claim, 'executionId' | 'token'>;

export type ClaimResult =
  | { readonly kind: 'claimed'; readonly claim: Claim }
  /** Nothing to do now: settled, held by a living worker, or not the head of its session's line. */
  | { readonly kind: 'not_runnable' }
  /** It has to wait, for its tenant's share or for room to isolate it; due again in a moment. */
  | { readonly kind: 'not_now' }
  /** Taken, but only to be ended: it killed processes that held nothing else. */
  | { readonly kind: 'poisoned'; readonly claim: Claim };

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
  readonly claimed_at_ms: string;
  readonly is_cancelled: boolean;
  readonly is_suspect: boolean;
  readonly is_poisoned: boolean;
  readonly follows_lost_attempt: boolean;
  readonly request: Claim['request'];
}

/** Leases: who may write for an execution, and for how long. */
export class ExecutionClaimStore {
  constructor(private readonly dataSource: Pick<DataSource, 'query'>) {}

  /**
   * One statement raises attempt and epoch, draws a token and takes the lease. Only the head of a session can be claimed, so one
   * session runs one execution at a time and in order (S4-3). An attempt that is found with an expired lease is lost; those
   * before it are forgiven when it got anywhere. Losses make an execution a suspect, never more: only what it does to a process
   * that holds nothing else is held against it.
   *
   * @param token random; whoever gives it can release a claim of which no answer came
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
   * Back into the line for a better time, or for somebody who can do more with it: due again after a delay that grows with the
   * attempts, at least `leastMs`. Not counted as a lost attempt. Answers whether it was still ours.
   */
  async requeueWithBackoff({ executionId, token }: ClaimFence, leastMs = 0): Promise<boolean> {
    const rows = await queryRows(
      this.dataSource,
      `UPDATE execution SET ${RELEASED}, due_at = ${dueAfter('attempt', '$3')}, deadline_at = ${deadlineAfter('attempt', '$3')}
        WHERE id = $1 AND claim_token = $2 AND status = 'running' RETURNING id`,
      [executionId, token, leastMs],
    );
    return rows.length > 0;
  }

  /**
   * A process that held nothing else died of it: evidence. Goes back into the line, due after a delay, unless that is enough:
   * then it stays claimed, to be ended. Answers null when it was not ours any more.
   */
  async recordIsolatedDeath(
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

  /**
   * Back into the line until `delayMs` have passed, and a little longer, so that not all come back at once. Its own time
   * goes on: what it waits for may never come. Not counted as a lost attempt.
   */
  async postpone({ executionId, token }: ClaimFence, delayMs: number): Promise<boolean> {
    const rows = await queryRows(
      this.dataSource,
      `UPDATE execution SET ${RELEASED}, due_at = now() + $3::float8 * (1 + random() / 4) * interval '1 millisecond'
        WHERE id = $1 AND claim_token = $2 AND status = 'running' RETURNING id`,
      [executionId, token, delayMs],
    );
    return rows.length > 0;
  }

  /** Back into the line, as the next one to run; not counted as a lost attempt. */
  async release({ executionId, token }: ClaimFence): Promise<boolean> {
    const rows = await queryRows(
      this.dataSource,
      `UPDATE execution SET ${RELEASED} WHERE id = $1 AND claim_token = $2 AND status = 'running' RETURNING id`,
      [executionId, token],
    );
    return rows.length > 0;
  }
}

const RELEASED = `status = 'queued', lease_owner = NULL, lease_expires_at = NULL, dispatched_at = NULL`;

const delayAfter = (losses: string, leastMs: string): string =>
  `greatest(retry_delay(${losses}, id::text || attempt), ${leastMs} * interval '1 millisecond')`;
const dueAfter = (losses: string, leastMs: string): string => `now() + ${delayAfter(losses, leastMs)}`;
/** What it has to wait is not its own time. */
const deadlineAfter = (losses: string, leastMs: string): string =>
  `deadline_at + ${delayAfter(losses, leastMs)}`;

const ISOLATED_DEATH_SQL = `
  UPDATE execution e
     SET isolated_deaths = isolated_deaths + 1, lost_epoch = epoch, status = next.status,
         dispatched_at = CASE next.status WHEN 'running' THEN dispatched_at END,
         lease_owner = CASE next.status WHEN 'running' THEN lease_owner END,
         lease_expires_at = CASE next.status WHEN 'running' THEN lease_expires_at END,
         due_at = CASE next.status WHEN 'queued' THEN ${dueAfter('isolated_deaths + 1', '0')} END,
         deadline_at = CASE next.status WHEN 'queued' THEN ${deadlineAfter('isolated_deaths + 1', '0')} ELSE deadline_at END
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
    claimedAtMs: Number(row.claimed_at_ms),
    request: row.request,
    isCancelled: row.is_cancelled,
    isSuspect: row.is_suspect,
    followsLostAttempt: row.follows_lost_attempt,
  };
}
