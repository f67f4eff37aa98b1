import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import {
  ClaimStore,
  type ClaimFence,
  type ClaimOptions,
  type ClaimResult,
  type EngineRuns,
  type RetryPolicy,
  type QueuedWait,
} from '#libs/executions';
import type { WaitingFor } from '#libs/payloads';
import { BatchExecutor, Linger, type BatchAnswer } from '#libs/concurrency';
import { asStorableJson, systemClock, systemTimers, toStorableText } from '#libs/kernel';
import { classifyDatabaseError } from '../database-failure.js';
import { queryRows } from '../sql.js';
import { endedAttemptsSql, type AttemptEnd } from './attempt-record.js';
import { toClaimResult, type ClaimRow } from './claim-row.js';
import { claimSql, FOLLOWS_LOST_SQL } from './claim-sql.js';
import { delayAfterAttemptSql, hasGotFurtherSql, retryDelaySql } from './due-execution.js';
import { ownParametersSql, ownSecondsSql } from '../knowledge/own-parameters.js';
import { askWithRetry } from './retried-queries.js';
import { LINGER_MS } from './write-together.js';

interface ClaimCall {
  readonly executionId: string;
  readonly options: ClaimOptions;
  readonly token: string;
}

/** Claims in PostgreSQL: each method is one statement; simultaneous claims share one. */
export class ExecutionClaimStore extends ClaimStore {
  private readonly claims = new BatchExecutor<ClaimCall, ClaimResult>({
    runTogether: (calls) => this.claimTogether(calls),
    runAlone: async (call) => toClaimResult((await this.askFor([call], 'wait')).get(call.executionId)),
    mayRunAlone: () => false,
    defer: setImmediate,
    linger: new Linger(LINGER_MS, systemClock, systemTimers),
  });

  constructor(private readonly dataSource: Pick<DataSource, 'query'>) {
    super();
  }

  override claim(
    executionId: string,
    options: ClaimOptions,
    token: string = randomUUID(),
  ): Promise<ClaimResult> {
    return this.claims.call({ executionId, options, token });
  }

  /** Duplicate claims and claims with different options cannot share the statement and run alone. */
  private async claimTogether(calls: readonly ClaimCall[]): Promise<BatchAnswer<ClaimResult>[]> {
    const sharing = new Map<string, ClaimCall>();
    for (const call of calls)
      if (!sharing.has(call.executionId) && haveOneRule(call, calls[0])) sharing.set(call.executionId, call);
    const rows = await this.askForMany([...sharing.values()]);
    return calls.map((call) => {
      const row = rows?.get(call.executionId);
      const isAnswered = rows !== null && sharing.get(call.executionId) === call && row?.is_locked !== false;
      return isAnswered ? { kind: 'done', value: toClaimResult(row) } : { kind: 'alone' };
    });
  }

  /** Null if the database refused the whole batch; none is claimed then. */
  private async askForMany(calls: readonly ClaimCall[]): Promise<ReadonlyMap<string, ClaimRow> | null> {
    try {
      return await this.askFor(calls, 'skip');
    } catch (error) {
      if (classifyDatabaseError(error).kind === 'outage') throw error;
      return null;
    }
  }

  /** All calls have the same options and different executions. */
  private async askFor(
    calls: readonly ClaimCall[],
    whenLocked: 'skip' | 'wait',
  ): Promise<ReadonlyMap<string, ClaimRow>> {
    const [first] = calls;
    if (!first) return new Map();
    const { takes, providers } = first.options.engineRuns;
    const rows = await queryRows<ClaimRow>(this.dataSource, CLAIM_SQL[takes][whenLocked], [
      calls.map((call) => call.executionId),
      first.options.workerId,
      first.options.leaseMs,
      first.options.deadlineMs,
      first.options.maxIsolatedDeaths,
      first.options.suspectAfterLosses,
      first.options.tenantShare,
      calls.map((call) => call.token),
      calls.map((call) => call.options.canIsolate),
      ...(takes === 'any' ? [] : [providers]),
    ]);
    return new Map((await this.withLateFacts(rows)).map((row) => [row.asked_id, row]));
  }

  /**
   * Asks again what follows a lost attempt: the attempt may have recorded its interrupted model call after the snapshot of
   * the claim and before its lock. Without an answer the claim stands as it is, and its record is superfluous at worst.
   */
  private async withLateFacts(rows: readonly ClaimRow[]): Promise<readonly ClaimRow[]> {
    const ids = rows.flatMap(({ id, follows_lost_attempt }) =>
      follows_lost_attempt && id !== null ? [id] : [],
    );
    if (ids.length === 0) return rows;
    const asked = queryRows<Pick<ClaimRow, 'follows_lost_attempt'> & { readonly id: string }>(
      this.dataSource,
      FOLLOWS_LOST_SQL,
      [ids],
    );
    const found = new Map((await asked.catch(() => [])).map((row) => [row.id, row.follows_lost_attempt]));
    return rows.map((row) => {
      const follows = row.id === null ? undefined : found.get(row.id);
      return follows === undefined ? row : { ...row, follows_lost_attempt: follows };
    });
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
    return this.requeue(claim, 'put_off', putOffBy(delayAfterAttemptSql('e')));
  }

  override requeueCutOff(claim: ClaimFence): Promise<boolean> {
    return this.requeue(claim, 'cut_off', `lost_epoch = epoch, ${putOffBy(delayAfterAttemptSql('e'))}`);
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

  override async postpone(
    { executionId, token }: ClaimFence,
    { kind, name, message, delayMs, waitedMs }: QueuedWait,
  ): Promise<WaitingFor | null> {
    const [row] = await queryRows<{ waiting_for: WaitingFor }>(this.dataSource, POSTPONE_SQL, [
      ...[executionId, token, kind, name],
      ...[toStorableText(message).slice(0, MAX_MESSAGE), delayMs, waitedMs],
    ]);
    return row?.waiting_for ?? null;
  }

  /** Repeatable: a second call returns the same start. */
  override async begin({ executionId, token }: ClaimFence, retries: RetryPolicy): Promise<number | null> {
    const ask = () =>
      queryRows<{ started_ms: number }>(
        this.dataSource,
        `UPDATE execution SET started_at = coalesce(started_at, now()), waiting_for = NULL
          WHERE id = $1 AND claim_token = $2 AND status = 'running'
        RETURNING (extract(epoch FROM started_at) * 1000)::float8 AS started_ms`,
        [executionId, token],
      );
    const [row] = await askWithRetry(ask, retries);
    return row?.started_ms ?? null;
  }

  override async showWait({ executionId, token }: ClaimFence, waiting: WaitingFor | null): Promise<boolean> {
    const rows = await queryRows(
      this.dataSource,
      `UPDATE execution SET waiting_for = $3 WHERE id = $1 AND claim_token = $2 AND status = 'running' RETURNING id`,
      [executionId, token, waiting && JSON.stringify(asStorableJson(waiting))],
    );
    return rows.length > 0;
  }

  override release(claim: ClaimFence): Promise<boolean> {
    return this.requeue(claim, 'released');
  }

  /** @param set further assignments of the UPDATE */
  private async requeue({ executionId, token }: ClaimFence, end: AttemptEnd, set?: string): Promise<boolean> {
    const ended = `attempts = ${endedAttemptsSql('e', end)}`;
    const rows = await queryRows(
      this.dataSource,
      `UPDATE execution e SET ${[RELEASED, ended, 'waiting_for = NULL', ...(set === undefined ? [] : [set])].join(', ')}
        WHERE id = $1 AND claim_token = $2 AND status = 'running' RETURNING id`,
      [executionId, token],
    );
    return rows.length > 0;
  }
}

const claimsOf = (takes: EngineRuns['takes']) => ({
  skip: claimSql('skip', takes),
  wait: claimSql('wait', takes),
});
const CLAIM_SQL = { any: claimsOf('any'), none: claimsOf('none'), only: claimsOf('only') };

/** Whether the options are equal except for those that concern only one execution. */
function haveOneRule({ options: one }: ClaimCall, call: ClaimCall | undefined): boolean {
  return call !== undefined && RULES.every((rule) => one[rule] === call.options[rule]);
}

const RULES = [
  'workerId',
  'leaseMs',
  'deadlineMs',
  'maxIsolatedDeaths',
  'suspectAfterLosses',
  'tenantShare',
  'engineRuns',
] as const satisfies (keyof ClaimOptions)[];

const RELEASED = `status = 'queued', lease_owner = NULL, lease_expires_at = NULL, dispatched_at = NULL`;

/** Delays at most until the deadline, which is not extended. */
const putOffBy = (delay: string): string => `due_at = least(now() + ${delay}, deadline_at)`;

/** Maximum characters of a wait's message. */
const MAX_MESSAGE = 500;

const asIso = (time: string): string =>
  `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * Parameters: execution, token, kind, name and message of the wait; delay in milliseconds, null for the backoff;
 * milliseconds that the attempt has waited, null if the wait does not extend the deadline.
 */
const POSTPONE_SQL = `
  WITH held AS MATERIALIZED (
    SELECT e.id, e.deadline_at AS deadline,
           coalesce($6::float8 * (1 + random() / 4) * interval '1 millisecond', ${delayAfterAttemptSql('e')}) AS delay,
           ${hasGotFurtherSql('e')} AS has_got_further,
           greatest(0, coalesce(${ownParametersSql('e', ownSecondsSql('e', 'wait_for_tools_seconds'))}, 0)
                       - e.waited_for_tools_ms) AS left_ms,
           CASE WHEN e.waiting_for ->> 'kind' = $3::text AND e.waiting_for ->> 'name' IS NOT DISTINCT FROM $4::text
                THEN e.waiting_for ->> 'since'
                ELSE ${asIso("(now() - coalesce($7::float8, 0) * interval '1 millisecond')")} END AS since
      FROM execution e WHERE e.id = $1 AND e.claim_token = $2
  ), prolonged AS MATERIALIZED (
    SELECT *, CASE WHEN $7::float8 IS NULL THEN 0
                   ELSE least(left_ms, $7::float8 + extract(epoch FROM delay)::float8 * 1000) END AS by_ms FROM held
  ), timed AS MATERIALIZED (
    SELECT *, deadline + by_ms * interval '1 millisecond' AS until FROM prolonged
  )
  UPDATE execution e
     SET ${RELEASED}, attempt = e.attempt - CASE WHEN timed.has_got_further THEN 0 ELSE 1 END,
         attempts = CASE WHEN timed.has_got_further THEN ${endedAttemptsSql('e', 'postponed')} ELSE e.attempts - -1 END,
         deadline_at = timed.until, due_at = least(now() + timed.delay, timed.until),
         waited_for_tools_ms = e.waited_for_tools_ms + timed.by_ms::int,
         waiting_for = jsonb_build_object('kind', $3::text, 'name', $4::text, 'since', timed.since, 'message', $5::text,
                                          'next_try_at', ${asIso('least(now() + timed.delay, timed.until)')})
    FROM timed
   WHERE e.id = timed.id AND e.claim_token = $2 AND e.status = 'running'
  RETURNING e.waiting_for`;

const DELAY_AFTER_DEATH = retryDelaySql('e.isolated_deaths + 1', 'e');

const ISOLATED_DEATH_SQL = `
  UPDATE execution e
     SET isolated_deaths = isolated_deaths + 1, lost_epoch = epoch, status = next.status,
         dispatched_at = CASE next.status WHEN 'running' THEN dispatched_at END,
         lease_owner = CASE next.status WHEN 'running' THEN lease_owner END,
         lease_expires_at = CASE next.status WHEN 'running' THEN lease_expires_at END,
         due_at = CASE next.status WHEN 'queued' THEN least(now() + ${DELAY_AFTER_DEATH}, deadline_at) END,
         waiting_for = NULL,
         attempts = CASE next.status WHEN 'queued' THEN ${endedAttemptsSql('e', 'process_died')} ELSE attempts END
    FROM (SELECT CASE WHEN isolated_deaths + 1 >= $3 THEN 'running' ELSE 'queued' END AS status FROM execution
           WHERE id = $1 AND claim_token = $2) next
   WHERE e.id = $1 AND e.claim_token = $2 AND e.status = 'running' RETURNING e.status`;
