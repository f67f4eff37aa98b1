import type { DataSource } from 'typeorm';
import type { ToolServerOAuthEntity } from '../entities/tool-server-oauth.entity.js';
import { queryRows } from '../sql.js';

export type ToolServerOAuthKind = ToolServerOAuthEntity['kind'];

/** Which server, and in which version. */
interface VersionedServer {
  readonly id: string;
  readonly tenantId: string;
  readonly version: number;
}

/** Something sealed, and how long it is good for, by the clock of the database. */
export interface SealedGrant {
  readonly sealed: string;
  /** Milliseconds; null where it does not end. */
  readonly remainingMs: number | null;
  /** Milliseconds from its issue to its end; null where it has none. */
  readonly lifetimeMs: number | null;
}

/** Answers a sealed text anew, or null when it is to stay as it is. */
export type ResealGrant = (
  sealed: string,
  of: { readonly tenantId: string; readonly serverId: string; readonly kind: ToolServerOAuthKind },
) => string | null;

/** What authorization servers have given tenants for their tool servers. */
export class ToolServerOAuthStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Null where there is nothing that is good, and of this version of the server. */
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
   * Keeps it in the place of what there was; not where the server is gone.
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

  /** Seals everything anew that `reseal` answers a new text for. Answers how many. */
  async resealAll(reseal: ResealGrant): Promise<number> {
    const rows = await queryRows<{
      serverId: string;
      kind: ToolServerOAuthKind;
      tenantId: string;
      sealed: string;
    }>(
      this.dataSource,
      `SELECT server_id AS "serverId", kind, tenant_id AS "tenantId", sealed FROM tool_server_oauth ORDER BY server_id, kind`,
    );
    let count = 0;
    for (const row of rows) {
      const sealed = reseal(row.sealed, row);
      if (sealed === null) continue;
      // Only if nobody replaced it meanwhile.
      const done = await queryRows(
        this.dataSource,
        `UPDATE tool_server_oauth SET sealed = $3 WHERE server_id = $1 AND kind = $2 AND sealed = $4 RETURNING kind`,
        [row.serverId, row.kind, sealed, row.sealed],
      );
      count += done.length;
    }
    return count;
  }
}
