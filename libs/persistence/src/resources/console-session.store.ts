import type { DataSource } from 'typeorm';
import { API_KEY_STATUS, API_KEY_USE_IS_DUE } from '../entities/api-key.entity.js';
import { mapRows, readPage, type RowsOfPage } from '../rows/bounded-page.js';
import { queryRows } from '../sql.js';

/** A session as it authenticates a request of a signed-in browser. */
export interface StoredConsoleSession {
  readonly tokenSha256: string;
  readonly tenantId: string;
  readonly keyId: string;
  /** Scopes that the key has now. */
  readonly scopes: readonly string[];
  /** Whether the last use of the key is to be written. */
  readonly isUseDue: boolean;
}

export interface ConsoleSessionView {
  readonly id: string;
  readonly tenant_id: string;
  readonly key_id: string;
  readonly key_name: string;
  readonly scopes: readonly string[];
  readonly created_at: string;
  readonly expires_at: string;
}

export interface NewConsoleSession {
  /** UUID v7. */
  readonly id: string;
  readonly keyId: string;
  readonly tokenSha256: string;
  readonly lastsSeconds: number;
}

/** Selects all sessions of a tenant, or the sessions of one of its keys. */
export interface ConsoleSessionOwner {
  readonly tenantId: string;
  /** Null: of every key. */
  readonly keyId: string | null;
}

/** Sessions that one key may have; the next one ends the oldest. */
const MAX_SESSIONS_OF_A_KEY = 100;

/** Sessions of browsers. A session ends for every reader when it expires or its key stops being usable. */
export class ConsoleSessionStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Null when the key is no longer usable. */
  async create({
    id,
    keyId,
    tokenSha256,
    lastsSeconds,
  }: NewConsoleSession): Promise<ConsoleSessionView | null> {
    await queryRows(
      this.dataSource,
      `WITH surplus AS (
         DELETE FROM console_session WHERE id IN (
           SELECT id FROM console_session WHERE key_id = $2 ORDER BY id DESC OFFSET ${MAX_SESSIONS_OF_A_KEY - 1})
       )
       INSERT INTO console_session (id, tenant_id, key_id, token_sha256, expires_at)
       SELECT $1, tenant_id, id, $3, least(expires_at, now() + $4 * interval '1 second') FROM api_key
        WHERE id = $2 AND ${API_KEY_STATUS} = 'active'`,
      [id, keyId, tokenSha256, lastsSeconds],
    );
    return this.read(id);
  }

  /** By the public part of the token, joined to its key. Nothing is kept: a revoked key counts from the next request on. */
  async find(id: string): Promise<StoredConsoleSession | null> {
    const [found] = await queryRows<StoredConsoleSession>(
      this.dataSource,
      `SELECT session.token_sha256 AS "tokenSha256", key.tenant_id AS "tenantId", key.id AS "keyId", key.scopes,
              key.is_use_due AS "isUseDue" ${USABLE} AND session.id = $1`,
      [id],
    );
    return found ?? null;
  }

  async read(id: string): Promise<ConsoleSessionView | null> {
    const [row] = await queryRows<ConsoleSessionRow>(this.dataSource, `${VIEW} AND session.id = $1`, [id]);
    return row === undefined ? null : toView(row);
  }

  /** The subset of sessions that may still be used. */
  async filterUsable(ids: readonly string[]): Promise<Set<string>> {
    const rows = await queryRows<{ id: string }>(
      this.dataSource,
      `SELECT session.id ${USABLE} AND session.id = ANY($1::uuid[])`,
      [ids],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Newest first; `beforeId`: only those made before this one. */
  async list(
    { tenantId, keyId }: ConsoleSessionOwner,
    { beforeId = null, limit }: { readonly beforeId?: string | null; readonly limit: number },
  ): Promise<RowsOfPage<ConsoleSessionView>> {
    const page = await readPage<ConsoleSessionRow>(this.dataSource, {
      select: `${VIEW} AND session.tenant_id = $1 AND ($2::text IS NULL OR session.key_id = $2)
                 AND ($3::uuid IS NULL OR session.id < $3)`,
      parameters: [tenantId, keyId, beforeId],
      orderBy: 'id DESC',
      limit,
    });
    return mapRows(page, toView);
  }

  /** Ends it at once; false where the owner has no such session. */
  async delete({ tenantId, keyId }: ConsoleSessionOwner, id: string): Promise<boolean> {
    const gone = await queryRows(
      this.dataSource,
      `WITH gone AS (
         DELETE FROM console_session WHERE id = $3 AND tenant_id = $1 AND ($2::text IS NULL OR key_id = $2) RETURNING id
       )
       SELECT id FROM gone`,
      [tenantId, keyId, id],
    );
    return gone.length > 0;
  }
}

/** Removes expired sessions. */
export async function expireConsoleSessions(dataSource: DataSource): Promise<void> {
  await queryRows(dataSource, `DELETE FROM console_session WHERE expires_at <= now()`);
}

const USABLE = `
  FROM console_session session
  JOIN (SELECT *, ${API_KEY_STATUS} AS status, ${API_KEY_USE_IS_DUE} AS is_use_due FROM api_key) key
    ON key.id = session.key_id AND key.status = 'active'
 WHERE session.expires_at > now()`;

const VIEW = `SELECT session.id, session.tenant_id, session.key_id, key.name AS key_name, key.scopes, session.created_at,
       least(session.expires_at, key.expires_at) AS expires_at ${USABLE}`;

interface ConsoleSessionRow extends Omit<ConsoleSessionView, 'created_at' | 'expires_at'> {
  readonly created_at: Date;
  readonly expires_at: Date;
}

function toView({ created_at, expires_at, ...row }: ConsoleSessionRow): ConsoleSessionView {
  return { ...row, created_at: created_at.toISOString(), expires_at: expires_at.toISOString() };
}
