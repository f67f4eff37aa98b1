import type { DataSource } from 'typeorm';
import type { ToolServerOAuthEntity } from '../entities/tool-server-oauth.entity.js';
import { queryRows } from '../sql.js';
import { resealColumn, type Reseal } from '../rows/reseal-rows.js';

type ToolServerOAuthKind = ToolServerOAuthEntity['kind'];

/** A version of a server. */
interface VersionedServer {
  readonly id: string;
  readonly tenantId: string;
  readonly version: number;
}

/** A sealed grant and its time left, by the clock of the database. */
interface SealedGrant {
  readonly sealed: string;
  /** Milliseconds; null where it does not expire. */
  readonly remainingMs: number | null;
  /** Milliseconds from its issue to its end; null where it has none. */
  readonly lifetimeMs: number | null;
}

/** Tokens and registrations that authorization servers have issued to tenants for their tool servers. */
export class ToolServerOAuthStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Null where there is none for this version of the server that is still good. */
  async read(
    { id, tenantId, version }: VersionedServer,
    kind: ToolServerOAuthKind,
  ): Promise<SealedGrant | null> {
    const [row] = await queryRows<SealedGrant>(
      this.dataSource,
      `SELECT sealed, (extract(epoch FROM expires_at - now()) * 1000)::float8 AS "remainingMs",
              (extract(epoch FROM expires_at - issued_at) * 1000)::float8 AS "lifetimeMs"
         FROM tool_server_oauth
        WHERE server_id = $1 AND kind = $2 AND tenant_id = $3 AND server_version = $4
          AND (expires_at IS NULL OR expires_at > now())`,
      [id, kind, tenantId, version],
    );
    return row ?? null;
  }

  /**
   * Stores it in the place of the one before; does nothing where the server is gone.
   *
   * @param lifetimeMs null where it does not end
   */
  async write(
    { id, tenantId, version }: VersionedServer,
    kind: ToolServerOAuthKind,
    sealed: string,
    lifetimeMs: number | null,
  ): Promise<void> {
    await queryRows(
      this.dataSource,
      `INSERT INTO tool_server_oauth (server_id, kind, tenant_id, server_version, sealed, issued_at, expires_at)
       SELECT id, $2, tenant_id, $4, $5, now(), now() + $6::float8 * interval '1 millisecond'
         FROM tool_server WHERE id = $1 AND tenant_id = $3 FOR KEY SHARE
       ON CONFLICT (server_id, kind) DO UPDATE
         SET server_version = excluded.server_version, sealed = excluded.sealed, issued_at = excluded.issued_at,
             expires_at = excluded.expires_at`,
      [id, kind, tenantId, version, sealed, lifetimeMs],
    );
  }

  /** Seals texts anew where `reseal` answers a new one. Answers how many. */
  async resealAll(reseal: Reseal<GrantOwner>): Promise<number> {
    const owner = { tenantId: 'tenant_id', serverId: 'server_id', kind: 'kind' };
    const given = { table: 'tool_server_oauth', column: 'sealed', owner, key: ['serverId', 'kind'] } as const;
    return resealColumn<GrantOwner>(this.dataSource, given, reseal);
  }
}

interface GrantOwner {
  readonly tenantId: string;
  readonly serverId: string;
  readonly kind: ToolServerOAuthKind;
}
