import type { DataSource } from 'typeorm';
import { queryRows } from '../sql.js';
import type { ConnectionAttempt } from './connection.store.js';
import { resealColumn, type Reseal } from '../rows/reseal-rows.js';

/** A connection that can be used, its tokens still sealed. */
interface SealedConnection {
  readonly id: string;
  readonly sealed: string;
  /** Milliseconds, by the clock of the database. */
  readonly remainingMs: number;
  readonly lifetimeMs: number;
}

/** Tokens as they are kept. */
interface SealedTokenSet {
  readonly sealed: string;
  readonly lifetimeMs: number;
  readonly scope: string | null;
}

/** The part of connections that workers write: what was asked for, exchanged, renewed and revoked. */
export class ConnectionGrantStore {
  constructor(private readonly dataSource: DataSource) {}

  /** The one of a person to a server, where it may be used for what the server is now. */
  async read(
    tenantId: string,
    serverId: string,
    userId: string,
    destination: string,
  ): Promise<SealedConnection | null> {
    const [row] = await queryRows<SealedConnection>(
      this.dataSource,
      `SELECT id, grant_sealed AS sealed, (extract(epoch FROM token_expires_at - now()) * 1000)::float8 AS "remainingMs",
              (extract(epoch FROM token_expires_at - token_issued_at) * 1000)::float8 AS "lifetimeMs"
         FROM connection
        WHERE tenant_id = $1 AND server_id = $2 AND user_id = $3 AND status = 'connected' AND destination = $4`,
      [tenantId, serverId, userId, destination],
    );
    return row ?? null;
  }

  /** What is under way with it, once: whoever comes later finds nothing sealed any more. */
  async takeAttempt(tenantId: string, id: string, attemptId: string): Promise<ConnectionAttempt | null> {
    const [row] = await queryRows<ConnectionAttempt>(
      this.dataSource,
      `WITH held AS (
         SELECT id, attempt_sealed FROM connection WHERE tenant_id = $1 AND id = $2 AND attempt_id = $3 FOR UPDATE
       )
       UPDATE connection SET attempt_sealed = NULL FROM held WHERE connection.id = held.id
       RETURNING connection.id, attempt_id AS "attemptId", server_id AS "serverId", held.attempt_sealed AS sealed,
                 attempt_fault AS fault, missing_scope AS "missingScope"`,
      [tenantId, id, attemptId],
    );
    return row ?? null;
  }

  /** A person can be sent there now. False where a newer try has begun. */
  async ask(id: string, attemptId: string, stateSha256: string, sealed: string): Promise<boolean> {
    const rows = await queryRows(
      this.dataSource,
      `UPDATE connection SET attempt_state = $3, attempt_sealed = $4 WHERE id = $1 AND attempt_id = $2 RETURNING id`,
      [id, attemptId, stateSha256, sealed],
    );
    return rows.length > 0;
  }

  async fail(id: string, attemptId: string, fault: string): Promise<void> {
    const sql = `UPDATE connection SET attempt_fault = $3, attempt_sealed = NULL WHERE id = $1 AND attempt_id = $2`;
    await queryRows(this.dataSource, sql, [id, attemptId, fault]);
  }

  /** False where the try counts no more: then the tokens are kept nowhere. */
  async connect(
    id: string,
    attemptId: string,
    destination: string,
    { sealed, lifetimeMs, scope }: SealedTokenSet,
  ): Promise<boolean> {
    const rows = await queryRows(
      this.dataSource,
      `UPDATE connection
          SET status = 'connected', reason = NULL, missing_scope = NULL, scope = $5, grant_sealed = $4, destination = $6,
              token_issued_at = now(), token_expires_at = now() + $3::float8 * interval '1 millisecond',
              refresh_lease = NULL, refresh_until = NULL, attempt_id = NULL, attempt_fault = NULL,
              connected_at = now(), updated_at = now()
        WHERE id = $1 AND attempt_id = $2 RETURNING id`,
      [id, attemptId, lifetimeMs, sealed, scope, destination],
    );
    return rows.length > 0;
  }

  /**
   * The right to renew the tokens, for half a minute; null while somebody else has it. `isAfterLost`: whoever had it before
   * has neither kept new tokens nor let go.
   */
  async beginRefresh(id: string, lease: string): Promise<{ readonly isAfterLost: boolean } | null> {
    const [row] = await queryRows<{ isAfterLost: boolean }>(
      this.dataSource,
      `WITH held AS (
         SELECT id, refresh_lease FROM connection
          WHERE id = $1 AND status = 'connected' AND (refresh_until IS NULL OR refresh_until < now()) FOR UPDATE
       )
       UPDATE connection SET refresh_lease = $2, refresh_until = now() + interval '${REFRESH_SECONDS} seconds'
         FROM held WHERE connection.id = held.id RETURNING held.refresh_lease IS NOT NULL AS "isAfterLost"`,
      [id, lease],
    );
    return row ?? null;
  }

  /** False where it was revoked, or connected anew, meanwhile. */
  async keepRefreshed(
    id: string,
    lease: string,
    { sealed, lifetimeMs, scope }: SealedTokenSet,
  ): Promise<boolean> {
    const rows = await queryRows(
      this.dataSource,
      `UPDATE connection
          SET grant_sealed = $3, scope = coalesce($5, scope), token_issued_at = now(),
              token_expires_at = now() + $4::float8 * interval '1 millisecond',
              refresh_lease = NULL, refresh_until = NULL, updated_at = now()
        WHERE id = $1 AND refresh_lease = $2 AND status = 'connected' RETURNING id`,
      [id, lease, sealed, lifetimeMs, scope],
    );
    return rows.length > 0;
  }

  async endRefresh(id: string, lease: string): Promise<void> {
    const sql = `UPDATE connection SET refresh_lease = NULL, refresh_until = NULL WHERE id = $1 AND refresh_lease = $2`;
    await queryRows(this.dataSource, sql, [id, lease]);
  }

  /** Its tokens are of no use any more, and are kept no longer. */
  async giveUp(id: string, lease: string, reason: string): Promise<void> {
    await queryRows(
      this.dataSource,
      `UPDATE connection
          SET status = 'needs_reconnect', reason = $3, grant_sealed = NULL, refresh_lease = NULL, refresh_until = NULL,
              updated_at = now()
        WHERE id = $1 AND refresh_lease = $2 AND status = 'connected'`,
      [id, lease, reason],
    );
  }

  async noteMissingScope(id: string, scope: string): Promise<void> {
    const sql = `UPDATE connection SET missing_scope = $2, updated_at = now() WHERE id = $1 AND status = 'connected'`;
    await queryRows(this.dataSource, sql, [id, scope]);
  }

  /** Seals everything anew that `reseal` answers a new text for. Answers how many. */
  async resealAll(reseal: Reseal<ConnectionOwner>): Promise<number> {
    const owner = { tenantId: 'tenant_id', connectionId: 'id' };
    const place = { table: 'connection', owner, key: ['connectionId'] } as const;
    let count = 0;
    for (const column of ['grant_sealed', 'attempt_sealed'])
      count += await resealColumn<ConnectionOwner>(this.dataSource, { ...place, column }, reseal);
    return count;
  }
}

interface ConnectionOwner {
  readonly tenantId: string;
  readonly connectionId: string;
}

/** An exchange with an authorization server has 10 s. */
const REFRESH_SECONDS = 30;
