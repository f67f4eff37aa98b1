import type { DataSource } from 'typeorm';
import type { ConnectionStatus } from '../entities/connection.entity.js';
import { queryRows } from '../sql.js';
import { mapRows, readPage, type RowsOfPage } from '../rows/bounded-page.js';
import type { Bind } from '../rows/list-conditions.js';

/** A connection as the API shows it: without anything that opens something. */
export interface ConnectionView {
  /** UUID v7. */
  readonly id: string;
  readonly server_id: string;
  readonly user_id: string;
  readonly status: ConnectionStatus;
  readonly reason: string | null;
  readonly scope: string | null;
  readonly missing_scope: string | null;
  readonly connected_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface ConnectionFilter {
  readonly serverId?: string | undefined;
  readonly userId?: string | undefined;
  readonly status?: ConnectionStatus | undefined;
  readonly lastId?: string | undefined;
  readonly limit: number;
}

/** What is under way with a connection, for whoever goes on with it. */
export interface ConnectionAttempt {
  readonly id: string;
  readonly attemptId: string;
  readonly serverId: string;
  readonly sealed: string | null;
  readonly fault: string | null;
  readonly missingScope: string | null;
}

/** Connections of one tenant, as its own programs see and make them. */
export class ConnectionStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Newest first. */
  async list(tenantId: string, filter: ConnectionFilter): Promise<RowsOfPage<ConnectionView>> {
    const { serverId, userId, status, lastId, limit } = filter;
    const parameters: unknown[] = [];
    const bind: Bind = (value, sqlType) => `$${parameters.push(value)}::${sqlType}`;
    const conditions = [
      `tenant_id = ${bind(tenantId, 'text')}`,
      ...(serverId === undefined ? [] : [`server_id = ${bind(serverId, 'uuid')}`]),
      ...(userId === undefined ? [] : [`user_id = ${bind(userId, 'text')}`]),
      ...(status === undefined ? [] : [`status = ${bind(status, 'text')}`]),
      ...(lastId === undefined ? [] : [`id < ${bind(lastId, 'uuid')}`]),
    ];
    const select = `SELECT ${COLUMNS} FROM connection WHERE ${conditions.join(' AND ')}`;
    const rows = await readPage<ConnectionRow>(this.dataSource, {
      select,
      parameters,
      orderBy: 'id DESC',
      limit,
    });
    return mapRows(rows, toView);
  }

  async find(tenantId: string, id: string): Promise<ConnectionView | null> {
    const sql = `SELECT ${COLUMNS} FROM connection WHERE tenant_id = $1 AND id = $2`;
    const [row] = await queryRows<ConnectionRow>(this.dataSource, sql, [tenantId, id]);
    return row ? toView(row) : null;
  }

  /**
   * Begins to ask a person for consent; an earlier try of theirs counts no more. What they have agreed to before stays until
   * they do anew. Answers the id of their connection; null where the server is gone.
   */
  async begin(
    tenantId: string,
    given: {
      readonly id: string;
      readonly serverId: string;
      readonly userId: string;
      readonly attemptId: string;
    },
  ): Promise<string | null> {
    const [row] = await queryRows<{ id: string }>(
      this.dataSource,
      `INSERT INTO connection (id, tenant_id, server_id, user_id, attempt_id, attempt_expires_at)
       SELECT $2, tenant_id, id, $4, $5, now() + interval '${ATTEMPT_MINUTES} minutes'
         FROM tool_server WHERE tenant_id = $1 AND id = $3 FOR KEY SHARE
       ON CONFLICT (tenant_id, server_id, user_id) DO UPDATE
         SET attempt_id = excluded.attempt_id, attempt_expires_at = excluded.attempt_expires_at, attempt_state = NULL,
             attempt_sealed = NULL, attempt_fault = NULL, updated_at = now()
       RETURNING id`,
      [tenantId, given.id, given.serverId, given.userId, given.attemptId],
    );
    return row?.id ?? null;
  }

  async readAttempt(tenantId: string, id: string, attemptId: string): Promise<ConnectionAttempt | null> {
    const [row] = await queryRows<ConnectionAttempt>(
      this.dataSource,
      `SELECT ${ATTEMPT_COLUMNS} FROM connection WHERE tenant_id = $1 AND id = $2 AND attempt_id = $3`,
      [tenantId, id, attemptId],
    );
    return row ?? null;
  }

  /** A person has come back. Once: whoever comes with the same state again finds nothing. */
  async takeState(tenantId: string, stateSha256: string): Promise<ConnectionAttempt | null> {
    const [row] = await queryRows<ConnectionAttempt>(
      this.dataSource,
      `UPDATE connection SET attempt_state = NULL, updated_at = now()
        WHERE tenant_id = $1 AND attempt_state = $2 AND attempt_expires_at > now() RETURNING ${ATTEMPT_COLUMNS}`,
      [tenantId, stateSha256],
    );
    return row ?? null;
  }

  /** What the next step of the try needs. False where a newer one has begun. */
  async handOver(id: string, attemptId: string, sealed: string): Promise<boolean> {
    const rows = await queryRows(
      this.dataSource,
      `UPDATE connection SET attempt_sealed = $3 WHERE id = $1 AND attempt_id = $2 RETURNING id`,
      [id, attemptId, sealed],
    );
    return rows.length > 0;
  }

  /** From now on nobody uses it. Its tokens are left to whoever revokes them where they were issued. Null: it is gone. */
  async revoke(tenantId: string, id: string, attemptId: string): Promise<ConnectionView | null> {
    const [row] = await queryRows<ConnectionRow>(
      this.dataSource,
      `UPDATE connection
          SET status = 'revoked', reason = NULL, scope = NULL, missing_scope = NULL, grant_sealed = NULL, destination = NULL,
              token_issued_at = NULL, token_expires_at = NULL, refresh_lease = NULL, refresh_until = NULL,
              attempt_id = $3, attempt_state = NULL, attempt_fault = NULL,
              attempt_sealed = coalesce(grant_sealed, CASE status WHEN 'revoked' THEN attempt_sealed END),
              attempt_expires_at = now() + interval '${ATTEMPT_MINUTES} minutes', updated_at = now()
        WHERE tenant_id = $1 AND id = $2 RETURNING ${COLUMNS}`,
      [tenantId, id, attemptId],
    );
    return row ? toView(row) : null;
  }

  async delete(tenantId: string, id: string): Promise<void> {
    const sql = `DELETE FROM connection WHERE tenant_id = $1 AND id = $2`;
    await queryRows(this.dataSource, sql, [tenantId, id]);
  }

  /** Forgets what nobody has gone on with, and connections that never were. */
  async expire(): Promise<number> {
    const rows = await queryRows(
      this.dataSource,
      `WITH never AS (
         DELETE FROM connection WHERE status = 'pending' AND attempt_expires_at < now() - interval '1 day' RETURNING id
       ), left_behind AS (
         UPDATE connection SET attempt_id = NULL, attempt_state = NULL, attempt_sealed = NULL
          WHERE attempt_expires_at < now() AND attempt_id IS NOT NULL
            AND NOT (status = 'pending' AND attempt_expires_at < now() - interval '1 day')
         RETURNING id
       )
       SELECT id FROM never UNION ALL SELECT id FROM left_behind`,
    );
    return rows.length;
  }
}

/** How long a person may take at the authorization server. */
const ATTEMPT_MINUTES = 10;

interface ConnectionRow extends Omit<ConnectionView, 'connected_at' | 'created_at' | 'updated_at'> {
  readonly connected_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const COLUMNS =
  'id, server_id, user_id, status, reason, scope, missing_scope, connected_at, created_at, updated_at';
const ATTEMPT_COLUMNS = `id, attempt_id AS "attemptId", server_id AS "serverId", attempt_sealed AS sealed,
  attempt_fault AS fault, missing_scope AS "missingScope"`;

function toView({ connected_at, created_at, updated_at, ...row }: ConnectionRow): ConnectionView {
  return {
    ...row,
    connected_at: connected_at?.toISOString() ?? null,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}
