import type { DataSource } from 'typeorm';
import type { JsonObject } from '#libs/kernel';
import type { ToolEffect, ToolServerType } from '#libs/tooling';
import { queryRows } from '../sql.js';

/** A tool as its server last listed it, with the settings of the tenant. */
export interface ListedTool {
  /** Name for models. */
  readonly name: string;
  /** The server's own name of the tool. */
  readonly tool: string;
  readonly description: string;
  readonly effect: ToolEffect;
  readonly approval: boolean;
  readonly input_schema: JsonObject;
}

export interface ServerListing {
  readonly server: { readonly id: string; readonly name: string; readonly type: ToolServerType };
  readonly tools: readonly ListedTool[];
  readonly listed_at: string;
  /** Whether the server was changed since. */
  readonly is_stale: boolean;
}

/**
 * The last listings of tool servers. The write is SQL, since one statement compares the server and the listing before,
 * and leaves a newer one.
 */
export class ToolListingStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Writes nothing if the server was deleted, or listed in a later version, in between. */
  async write(
    server: { readonly tenantId: string; readonly id: string; readonly version: number },
    tools: readonly ListedTool[],
  ): Promise<void> {
    await queryRows(
      this.dataSource,
      `INSERT INTO tool_server_listing (server_id, tenant_id, server_version, tools, listed_at)
       SELECT id, tenant_id, $3, $4, now() FROM tool_server WHERE tenant_id = $1 AND id = $2
       ON CONFLICT (server_id) DO UPDATE
          SET server_version = excluded.server_version, tools = excluded.tools, listed_at = now()
        WHERE tool_server_listing.server_version <= excluded.server_version`,
      [server.tenantId, server.id, server.version, JSON.stringify(tools)],
    );
  }

  /** Listings of the active servers, by name, ascending. */
  async list(tenantId: string): Promise<ServerListing[]> {
    const rows = await queryRows<Omit<ServerListing, 'listed_at'> & { readonly listed_at: Date }>(
      this.dataSource,
      `SELECT jsonb_build_object('id', server.id, 'name', server.name, 'type', server.type) AS server, listing.tools,
              listing.listed_at, listing.server_version <> server.version AS is_stale
         FROM tool_server server JOIN tool_server_listing listing ON listing.server_id = server.id
        WHERE server.tenant_id = $1 AND server.status = 'active' ORDER BY server.name`,
      [tenantId],
    );
    return rows.map(({ listed_at, ...row }) => ({ ...row, listed_at: listed_at.toISOString() }));
  }
}
