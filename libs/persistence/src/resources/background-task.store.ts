import type { JsonObject } from '#libs/kernel';
import type { DataSource, EntityManager } from 'typeorm';
import { queryRows } from '../sql.js';
import { claimSql, isFreeSql, IS_UNHELD, putOffSql } from '../executions/leased-row-sql.js';

/** A task that waits for its next try. */
export interface DueTask {
  readonly taskId: string;
}

/** A try under its claim token, the fence: a worker that was overtaken changes nothing. */
export interface TaskClaim extends DueTask {
  readonly token: string;
}

/** A claimed task. */
export interface ClaimedTask extends TaskClaim {
  readonly tenantId: string;
  readonly kind: string;
  readonly data: JsonObject;
  /** Number of this try, from 1. */
  readonly tryNumber: number;
}

export interface NewTask {
  readonly id: string;
  readonly tenantId: string;
  readonly kind: string;
  readonly data: JsonObject;
}

export interface TaskDispatchOptions {
  /** Maximum jobs that wait or run, of all tenants and of one. */
  readonly queueTarget: number;
  readonly tenantTarget: number;
  /** Milliseconds after which a job that no worker claimed counts as lost and is sent again. */
  readonly redispatchAfterMs: number;
}

/** Writes what came of a try, in the transaction that ends it. */
export type RecordTry = (manager: EntityManager) => Promise<void>;

/** Ordered work outside of the database: a row waits until it is done or given up, even if processes die. */
export class BackgroundTaskStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Stores a task that is due at once, in the transaction of `manager`. */
  async order(manager: EntityManager, { id, tenantId, kind, data }: NewTask): Promise<void> {
    const sql = `INSERT INTO background_task (id, tenant_id, kind, data) VALUES ($1, $2, $3, $4)`;
    await queryRows(manager, sql, [id, tenantId, kind, JSON.stringify(data)]);
  }

  /** Makes waiting tasks of a kind due now, in the transaction of `manager`; tasks under a claim stay as they are. */
  async hasten(manager: EntityManager, tenantId: string, kind: string): Promise<void> {
    const sql = `UPDATE background_task x SET due_at = now()
      WHERE tenant_id = $1 AND kind = $2 AND due_at > now() AND ${IS_UNHELD} RETURNING 1`;
    await queryRows(manager, sql, [tenantId, kind]);
  }

  /** Marks due tasks as sent to the queue and answers them, the first of each tenant before the second of any. */
  async take({ queueTarget, tenantTarget, redispatchAfterMs }: TaskDispatchOptions): Promise<DueTask[]> {
    return queryRows<DueTask>(this.dataSource, TAKE_SQL, [queueTarget, redispatchAfterMs, tenantTarget]);
  }

  /** Makes tasks due again after their jobs could not be sent. */
  async requeue(due: readonly DueTask[]): Promise<void> {
    const sql = `UPDATE background_task SET dispatched_at = NULL WHERE id = ANY($1::uuid[]) RETURNING 1`;
    await queryRows(this.dataSource, sql, [due.map(({ taskId }) => taskId)]);
  }

  /** Claims the next try for `leaseMs` milliseconds; null if none is due, or another worker holds the claim. */
  async claim(taskId: string, token: string, leaseMs: number): Promise<ClaimedTask | null> {
    const [row] = await queryRows<ClaimedTask>(
      this.dataSource,
      `UPDATE background_task x SET ${claimSql('$2', '$3')}
        WHERE id = $1 AND due_at <= now() AND ${IS_UNHELD}
        RETURNING id AS "taskId", tenant_id AS "tenantId", kind, data, claim_token AS token, tries AS "tryNumber"`,
      [taskId, token, leaseMs],
    );
    return row ?? null;
  }

  /** Deletes a task that is done or given up, and records its result, both or neither. False if the claim is lost. */
  async end({ taskId, token }: TaskClaim, record: RecordTry): Promise<boolean> {
    const sql = `DELETE FROM background_task WHERE id = $1 AND claim_token = $2 RETURNING 1`;
    return this.underClaim(sql, [taskId, token], record);
  }

  /** Makes the next try due after `delayMs`, and records this one, both or neither. False if the claim is lost. */
  async putOff({ taskId, token }: TaskClaim, delayMs: number, record: RecordTry): Promise<boolean> {
    const sql = `UPDATE background_task
        SET ${putOffSql('$3')}
      WHERE id = $1 AND claim_token = $2 RETURNING 1`;
    return this.underClaim(sql, [taskId, token, delayMs], record);
  }

  /** Releases a task that this release cannot try, due after `delayMs`; counts no try. False if the claim is lost. */
  async leave({ taskId, token }: TaskClaim, delayMs: number): Promise<boolean> {
    const sql = `UPDATE background_task
        SET ${putOffSql('$3')}, tries = tries - 1
      WHERE id = $1 AND claim_token = $2 RETURNING 1`;
    return (await queryRows(this.dataSource, sql, [taskId, token, delayMs])).length > 0;
  }

  /** True where a task has been due and unclaimed for at least `forMs` milliseconds. */
  async isOverdue(forMs: number): Promise<boolean> {
    const sql = `SELECT 1 FROM background_task
      WHERE greatest(due_at, lease_expires_at) < now() - $1 * interval '1 millisecond' LIMIT 1`;
    return (await queryRows(this.dataSource, sql, [forMs])).length > 0;
  }

  private underClaim(sql: string, parameters: readonly unknown[], record: RecordTry): Promise<boolean> {
    return this.dataSource.transaction(async (manager) => {
      const isOurs = (await queryRows(manager, sql, parameters)).length > 0;
      if (isOurs) await record(manager);
      return isOurs;
    });
  }
}

const IS_FREE = isFreeSql('$2');

const TAKE_SQL = `
  WITH under_way AS (
    SELECT x.tenant_id, count(*) AS jobs FROM background_task x WHERE NOT (${IS_FREE}) GROUP BY x.tenant_id
  ), due AS (
    SELECT x.id, coalesce(under_way.jobs, 0)
             + row_number() OVER (PARTITION BY x.tenant_id ORDER BY x.due_at, x.id) AS place
      FROM background_task x LEFT JOIN under_way ON under_way.tenant_id = x.tenant_id
     WHERE x.due_at <= now() AND ${IS_FREE}
  ), chosen AS (
    SELECT id FROM due WHERE place <= $3::int ORDER BY place, id
     LIMIT greatest(0, $1::int - (SELECT coalesce(sum(jobs), 0) FROM under_way)::int)
  ), locked AS (
    SELECT x.id FROM background_task x WHERE x.id IN (SELECT id FROM chosen) AND ${IS_FREE} FOR UPDATE SKIP LOCKED
  )
  UPDATE background_task SET dispatched_at = now() FROM locked WHERE background_task.id = locked.id
  RETURNING background_task.id AS "taskId"`;
