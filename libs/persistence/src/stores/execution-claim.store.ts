import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { ClaimStore, type ClaimFence, type ClaimOptions, type ClaimResult } from '#libs/executions';
import { Combiner, type BatchAnswer } from '#libs/combiner';
import { judgeDatabaseError } from '../database-failure.js';
import { queryRows } from '../sql.js';
import { toClaimResult, type ClaimRow } from './claim-row.js';
import { claimSql } from './claim-sql.js';
import { delayAfterAttemptSql, retryDelaySql } from './due-execution.js';

interface ClaimCall {
  readonly executionId: string;
  readonly options: ClaimOptions;
  readonly token: string;
}

/** Claims in PostgreSQL: each method is one statement; claims that are asked for at the same time share one. */
export class ExecutionClaimStore extends ClaimStore {
  private readonly claims = new Combiner<ClaimCall, ClaimResult>({
    runTogether: (calls) => this.claimTogether(calls),
    runAlone: async (call) => toClaimResult((await this.askFor([call], 'wait')).get(call.executionId)),
    mayRunAlone: () => false,
    defer: setImmediate,
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

  /** What cannot share the statement, since it is asked for twice or by other rules, is claimed by itself. */
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

  /** Null where the database refused them together, and has claimed none. */
  private async askForMany(calls: readonly ClaimCall[]): Promise<ReadonlyMap<string, ClaimRow> | null> {
    try {
      return await this.askFor(calls, 'skip');
    } catch (error) {
      if (judgeDatabaseError(error).kind === 'outage') throw error;
      return null;
    }
  }

  /** Of one rule, each another execution. */
  private async askFor(
    calls: readonly ClaimCall[],
    whenLocked: 'skip' | 'wait',
  ): Promise<ReadonlyMap<string, ClaimRow>> {
    const [first] = calls;
    if (!first) return new Map();
    const rows = await queryRows<ClaimRow>(this.dataSource, CLAIM_SQL[whenLocked], [
      calls.map((call) => call.executionId),
      first.options.workerId,
      first.options.leaseMs,
      first.options.deadlineMs,
      first.options.maxIsolatedDeaths,
      first.options.suspectAfterLosses,
      first.options.tenantShare,
      calls.map((call) => call.token),
      calls.map((call) => call.options.canIsolate),
    ]);
    return new Map(rows.map((row) => [row.asked_id, row]));
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

const CLAIM_SQL = { skip: claimSql('skip'), wait: claimSql('wait') };

/** Whether they differ in nothing but in what each says of its own execution. */
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
] as const satisfies (keyof ClaimOptions)[];

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
