import type { JsonObject } from '#libs/kernel';
import type { DataSource, EntityManager } from 'typeorm';
import { queryRows } from '../sql.js';
import { claimSql, isFreeSql, IS_UNHELD, putOffSql } from './leased-row-sql.js';

/** A task that waits for its next try. */
export interface DueTask {
  readonly taskId: string;
}

/** A try, named by its token: what is written by whoever was overtaken changes nothing. */
export interface TaskClaim extends DueTask {
  readonly token: string;
}

/** What one try needs. */
export interface ClaimedTask extends TaskClaim {
  readonly tenantId: string;
  readonly kind: string;
  readonly data: JsonObject;
  /** From 1. */
  readonly tryNumber: number;
}

export interface NewTask {
  readonly id: string;
  readonly tenantId: string;
  readonly kind: string;
  readonly data: JsonObject;
}

export interface TaskDispatchOptions {
  /** Jobs that may wait and run, of all tenants and of one. */
  readonly queueTarget: number;
  readonly tenantTarget: number;
  /** A job that nobody claimed for so long is taken for lost and sent again. */
  readonly redispatchAfterMs: number;
}

/** Writes what came of a try, in the transaction that ends it. */
export type RecordTry = (manager: EntityManager) => Promise<void>;

/** Work outside of the database that was ordered: a row waits until it is done or given up, whichever process dies. */
export class BackgroundTaskStore {
  constructor(private readonly dataSource: DataSource) {}

  /** In the transaction of `manager`. */
  async order(manager: EntityManager, { id, tenantId, kind, data }: NewTask): Promise<void> {
    const sql = `INSERT INTO background_task (id, tenant_id, kind, data) VALUES ($1, $2, $3, $4)`;
    await queryRows(manager, sql, [id, tenantId, kind, JSON.stringify(data)]);
  }

  /** Makes what waits for another try due, in the transaction of `manager`; nothing that is being tried. */
  async hasten(manager: EntityManager, tenantId: string, kind: string): Promise<void> {
    const sql = `UPDATE background_task x SET due_at = now()
      WHERE tenant_id = $1 AND kind = $2 AND due_at > now() AND ${IS_UNHELD} RETURNING 1`;
    await queryRows(manager, sql, [tenantId, kind]);
  }

  /** Marks what is due as sent to the queue and answers it, every tenant's first before the second of any. */
  async take({ queueTarget, tenantTarget, redispatchAfterMs }: TaskDispatchOptions): Promise<DueTask[]> {
    return queryRows<DueTask>(this.dataSource, TAKE_SQL, [queueTarget, redispatchAfterMs, tenantTarget]);
  }

  /** Their jobs could not be sent. */
  async requeue(due: readonly DueTask[]): Promise<void> {
    const sql = `UPDATE background_task SET dispatched_at = NULL WHERE id = ANY($1::uuid[]) RETURNING 1`;
    await queryRows(this.dataSource, sql, [due.map(({ taskId }) => taskId)]);
  }

  /** Takes the next try for `leaseMs`; null where there is none, or somebody else is at it. */
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

  /** Done, or given up: what came of it is recorded, and the task is gone, both or neither. False for who was overtaken. */
  async end({ taskId, token }: TaskClaim, record: RecordTry): Promise<boolean> {
    const sql = `DELETE FROM background_task WHERE id = $1 AND claim_token = $2 RETURNING 1`;
    return this.underClaim(sql, [taskId, token], record);
  }

  /** To be tried again, so many milliseconds later. False for who was overtaken. */
  async putOff({ taskId, token }: TaskClaim, delayMs: number, record: RecordTry): Promise<boolean> {
    const sql = `UPDATE background_task
        SET ${putOffSql('$3')}
      WHERE id = $1 AND claim_token = $2 RETURNING 1`;
    return this.underClaim(sql, [taskId, token, delayMs], record);
  }

  /** Left untried for whoever can do it, so many milliseconds later: the claim was no try. False for who was overtaken. */
  async leave({ taskId, token }: TaskClaim, delayMs: number): Promise<boolean> {
    const sql = `UPDATE background_task
        SET ${putOffSql('$3')}, tries = tries - 1
      WHERE id = $1 AND claim_token = $2 RETURNING 1`;
    return (await queryRows(this.dataSource, sql, [taskId, token, delayMs])).length > 0;
  }

  /** Whether one could have been tried for so long, and was not. */
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
